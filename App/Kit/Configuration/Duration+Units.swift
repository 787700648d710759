extension Duration {
    /// In whole nanoseconds; what lasts for centuries is shorter here.
    package var nanoseconds: Int64 {
        // Nearly all that is measured fits, and a division of 64 bits costs a tenth of one of 128.
        if let short = Int64(exactly: attoseconds) { return short / 1_000_000_000 }
        return Int64(clamping: attoseconds / 1_000_000_000)
    }

    /// In milliseconds, to the microsecond.
    package var milliseconds: Double { Double(nanoseconds / 1000) / 1000 }
}
