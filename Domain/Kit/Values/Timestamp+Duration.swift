extension Timestamp {
    /// The instant after a duration, without parts of a microsecond; clamped to the range of timestamps.
    package func adding(_ duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000)
        let exact = whole.partialValue.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        let sum = microseconds.addingReportingOverflow(exact.partialValue)
        guard whole.overflow || exact.overflow || sum.overflow else {
            return Timestamp(microseconds: sum.partialValue)
        }
        return Timestamp(microseconds: duration < .zero ? .min : .max)
    }
}
