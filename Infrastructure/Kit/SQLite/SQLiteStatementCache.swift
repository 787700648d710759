/// A least-recently-used cache of prepared statements, by their text or by a value that determines it.
struct SQLiteStatementCache<Key: Hashable> {
    private struct Entry {
        let statement: SQLiteStatement
        var lastUse: Int
    }

    private let capacity: Int
    private var entries: [Key: Entry] = [:]
    private var clock = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    var count: Int { entries.count }

    mutating func statement(_ key: Key) -> SQLiteStatement? {
        guard let index = entries.index(forKey: key) else { return nil }
        clock += 1
        entries.values[index].lastUse = clock
        return entries.values[index].statement
    }

    mutating func insert(_ statement: SQLiteStatement, for key: Key) {
        if entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            entries[oldest.key] = nil
        }
        clock += 1
        entries[key] = Entry(statement: statement, lastUse: clock)
    }

    mutating func removeAll() {
        entries = [:]
    }
}
