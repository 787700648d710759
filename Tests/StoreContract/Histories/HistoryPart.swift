internal import LarderData
internal import LarderDomain

/// The events of some clients of a history, all in one process.
///
/// Several processes can work on the same data: each of them runs a part with other clients, and the process of the
/// ``HistoryRun`` judges all parts.
public struct HistoryPart: Sendable, Codable {
    let events: [HistoryEvent]

    /// Opens the data of a history, runs clients at the same time, and closes it.
    ///
    /// - Parameters:
    ///   - fixture: Opens the data.
    ///   - scratch: The scratch name that the run has passed.
    ///   - clients: The numbers of the clients; no other part has them.
    ///   - operations: The number of operations of each client.
    ///   - seed: The seed of the requests, which the run has passed.
    ///   - now: The nanoseconds of a monotonic clock that all processes share.
    public init(
        _ fixture: StoreFixture, _ scratch: String, clients: Range<Int>, operations: Int, seed: UInt64,
        now: @escaping @Sendable () -> Int
    ) async throws {
        let store = try await fixture.open(Library.schemas(), scratch)
        try await self.init(clients, operations, store, HistoryClock(now), seed: seed)
        await store.close()
    }

    init(
        _ clients: Range<Int>, _ operations: Int, _ store: any Store, _ clock: HistoryClock, seed: UInt64
    ) async throws {
        let manager = try Self.manager(store)
        let updatesByQuery = store.traits.capabilities.contains(.bulkUpdates)
        events = try await withThrowingTaskGroup(of: [HistoryEvent].self) { group in
            for number in clients {
                group.addTask {
                    let chance = Chance(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
                    var client = HistoryClient(
                        number, manager, clock, chance: chance, updatesByQuery: updatesByQuery)
                    for _ in 0..<operations { try await client.act() }
                    return client.events
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// After a conflict, clients retry at once, because histories are meant to contain many conflicts.
    static func manager(_ store: any Store) throws -> StoreManager {
        let retry = RetryPolicy(attempts: 3, sleep: { _ in await Task.yield() })
        return StoreManager(store, mappers: try MapperSet(Library.mappers), retry: retry)
    }
}
