extension LogInspector {
    /// One entry of a log: a record, or bytes that are not a record.
    public struct Entry: Sendable, Hashable {
        /// The position of the first byte, from the start of the log.
        public let offset: Int
        /// The size in bytes.
        public let size: Int
        /// The decoded content.
        public let content: Content
    }
}

extension LogInspector.Entry {
    /// The content of an entry. All but the last two cases are records with a correct checksum.
    public enum Content: Sendable, Hashable {
        /// The first record, with the number of the last commit before the log.
        case head(sequence: Int64)
        /// A number of retained commits before the start of the log.
        case journal(Int)
        /// A number of roots with their state at the start of the log.
        case roots(Int)
        /// The end of these roots, with their total number.
        case end(roots: Int)
        /// A group of commits: their numbers, how many roots they name, and how many references they remove from all
        /// roots.
        case commits(ClosedRange<Int64>, inserts: Int, updates: Int, deletes: Int, removals: Int)
        /// Bytes that are not a record, with no record after them: a torn or unfinished write. Opening the store drops
        /// them, unless it was closed cleanly.
        case cutShort
        /// Bytes that are not a record where one is required. The store refuses to open.
        case damage
    }

    /// Whether the entry is a record with a correct checksum.
    public var isIntact: Bool { content != .cutShort && content != .damage }
}
