#if Postgres
/// The names of the prepared statements of a connection, by their texts: the least recently used ones are dropped.
struct PostgresStatementCache {
    private struct Entry {
        let name: String
        var lastUse: Int
    }

    private let capacity: Int
    private var entries: [String: Entry] = [:]
    private var clock = 0
    private var names = 0
    /// Differs between connections: a pooler may run a statement on the server's connection of another client, which must
    /// not have another statement of this name.
    private let prefix = "larder_" + String(UInt64.random(in: .min ... .max), radix: 36)

    init(capacity: Int) {
        self.capacity = capacity
    }

    mutating func name(of text: String) -> String? {
        guard let index = entries.index(forKey: text) else { return nil }
        clock += 1
        entries.values[index].lastUse = clock
        return entries.values[index].name
    }

    /// Whether an insertion of this number of statements drops none.
    func hasRoom(for count: Int) -> Bool { entries.count + count <= capacity }

    mutating func nextName() -> String {
        names += 1
        return "\(prefix)_\(names)"
    }

    /// - Returns: The name of a statement to deallocate.
    mutating func insert(_ name: String, for text: String) -> String? {
        var dropped: String?
        if entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            entries[oldest.key] = nil
            dropped = oldest.value.name
        }
        clock += 1
        entries[text] = Entry(name: name, lastUse: clock)
        return dropped
    }

    mutating func remove(_ text: String) { entries[text] = nil }
}
#endif
