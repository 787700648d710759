extension RawID {
    /// The creation time in a UUID of version 7 (RFC 9562, section 5.7), in whole milliseconds; `nil` for any other id.
    ///
    /// With a generator such as ``UUIDv7Generator`` it is the entity's creation time, without a column for it. It does
    /// not decrease when the clock is set back.
    public var creationTime: Timestamp? {
        guard high >> 12 & 0xF == 7, low >> 62 == 0b10 else { return nil }
        return Timestamp(microseconds: Int64(high >> 16) * 1_000)
    }
}
