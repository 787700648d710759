extension LogInspector {
    /// What stands at a place of a log.
    public struct Entry: Sendable, Hashable {
        /// Where it begins, in bytes from the beginning of the log.
        public let offset: Int
        /// How many bytes it has.
        public let size: Int
        /// What it says.
        public let content: Content
    }
}

extension LogInspector.Entry {
    /// What a record says. All but the last two had the checksum that they name.
    public enum Content: Sendable, Hashable {
        /// The first record, with the number of the last commit before the log.
        case head(sequence: Int64)
        /// So many roots as they were when the log began.
        case roots(Int)
        /// The end of the roots, with how many there were.
        case end(roots: Int)
        /// A group of commits, by their numbers, with how many roots they name, and how many references they remove from
        /// all roots.
        case commits(ClosedRange<Int64>, inserts: Int, updates: Int, deletes: Int, removals: Int)
        /// Bytes that are no record, with none after them: a write that was cut short, or is not done yet. Opening the
        /// store drops them, unless it had been closed properly.
        case cutShort
        /// Bytes that are no record where one must be. The store refuses to open.
        case damage
    }

    /// Whether it is a record with the checksum that it names.
    public var isIntact: Bool { content != .cutShort && content != .damage }
}
