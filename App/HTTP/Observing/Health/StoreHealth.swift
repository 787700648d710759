/// The result of a store probe.
public enum StoreHealth: Sendable, Equatable {
    /// The store reads and writes.
    case writable
    /// The store reads, but refuses to write; the text is the reason in one word.
    case readOnly(String)
    /// The store does not respond, or its data cannot be trusted; the text is the reason in one word.
    case unusable(String)
}
