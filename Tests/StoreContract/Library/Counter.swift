internal import LarderData
internal import LarderDomain

/// A number that concurrent tasks increment.
struct Counter: Entity {
    let id: EntityID<Counter>
    var count: Int

    /// The greatest count that an update by query may write.
    static let greatest = 1_000_000_000

    init(_ id: EntityID<Counter>, _ count: Int = 0) {
        self.id = id
        self.count = count
    }
}

enum CounterMapper: EntityMapper {
    static let mapping = Mapping<Counter>(
        "counter", id: \.id, [.column("count", \.count).settable(in: 0...Counter.greatest)])

    static func entity(from row: inout ObjectReader) throws -> Counter {
        try Counter(row.id(), row.next())
    }
}
