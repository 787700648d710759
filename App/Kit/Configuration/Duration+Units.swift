extension Duration {
    /// Whole nanoseconds, clamped to the range of `Int64` (about 292 years).
    package var nanoseconds: Int64 {
        // A fast path for nearly all values: a division of 64 bits costs a tenth of one of 128.
        if let short = Int64(exactly: attoseconds) { return short / 1_000_000_000 }
        return Int64(clamping: attoseconds / 1_000_000_000)
    }

    /// Milliseconds, with microsecond precision.
    package var milliseconds: Double { Double(nanoseconds / 1000) / 1000 }
}
