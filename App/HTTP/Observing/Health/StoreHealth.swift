/// What a look at a store found.
public enum StoreHealth: Sendable, Equatable {
    /// It reads and writes.
    case writable
    /// It reads, and refuses to write; the text is one word for the reason.
    case readOnly(String)
    /// It does not answer, or its data cannot be trusted; the text is one word for the reason.
    case unusable(String)
}
