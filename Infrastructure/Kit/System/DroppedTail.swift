/// The end of a log that opening a store has dropped, because a crash or damage left it unreadable.
public struct DroppedTail: Sendable, Hashable {
    /// The path of the log.
    public let log: String
    /// Where the dropped bytes began, in bytes from the beginning of the log.
    public let offset: Int
    /// How many bytes were dropped.
    public let size: Int
    /// What the bytes were, as far as they can be read.
    public let content: String
    /// The path of a file with the dropped bytes, next to the store.
    public let copy: String
}

extension DroppedTail: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        "dropped the last \(size) bytes of \(log), from byte \(offset) on: \(content); the bytes are kept in \(copy)"
    }
}
