extension RawID {
    /// When the id was made, to the millisecond, as a UUID of version 7 states (RFC 9562, section 5.7); `nil` for any other.
    ///
    /// It is the time of an entity's creation where a generator such as ``UUIDv7Generator`` makes the ids, so that no column
    /// needs to store it. A clock that was set back does not make it go back.
    public var creationTime: Timestamp? {
        guard high >> 12 & 0xF == 7, low >> 62 == 0b10 else { return nil }
        return Timestamp(microseconds: Int64(high >> 16) * 1_000)
    }
}
