/// The end of a log, dropped when the store was opened, because a crash or damage made it unreadable.
public struct DroppedTail: Sendable, Hashable {
    /// The path of the log.
    public let log: String
    /// The position of the first dropped byte, from the start of the log.
    public let offset: Int
    /// The number of dropped bytes.
    public let size: Int
    /// A description of the dropped bytes, as far as they are readable.
    public let content: String
    /// The path of a copy of the dropped bytes, next to the store.
    public let copy: String
}

extension DroppedTail: CustomStringConvertible {
    /// One sentence for the operator.
    public var description: String {
        "dropped the last \(size) bytes of \(log), from byte \(offset) on: \(content); the bytes are kept in \(copy)"
    }
}
