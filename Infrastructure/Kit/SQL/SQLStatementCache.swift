/// A least-recently-used cache of prepared statements, by their text or by a value that determines it.
package struct SQLStatementCache<Key: Hashable, Statement> {
    private struct Entry {
        let statement: Statement
        var lastUse: Int
    }

    private let capacity: Int
    private var entries: [Key: Entry] = [:]
    private var clock = 0

    package init(capacity: Int) {
        self.capacity = capacity
    }

    package var count: Int { entries.count }

    /// Whether an insertion of this number of statements drops none.
    package func hasRoom(for count: Int) -> Bool { entries.count + count <= capacity }

    package mutating func statement(_ key: Key) -> Statement? {
        guard let index = entries.index(forKey: key) else { return nil }
        clock += 1
        entries.values[index].lastUse = clock
        return entries.values[index].statement
    }

    /// - Returns: The statement that it drops.
    @discardableResult package mutating func insert(_ statement: Statement, for key: Key) -> Statement? {
        var dropped: Statement?
        if entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            entries[oldest.key] = nil
            dropped = oldest.value.statement
        }
        clock += 1
        entries[key] = Entry(statement: statement, lastUse: clock)
        return dropped
    }

    package mutating func remove(_ key: Key) { entries[key] = nil }

    package mutating func removeAll() { entries = [:] }
}
