internal import LarderData
internal import LarderDomain

/// A run of histories: concurrent clients work on the same few counters and record their requests, the answers, and the
/// times. The checker then decides whether a store that executes operations one at a time could have given these
/// answers.
///
/// ```swift
/// @Test func `my store tells all clients one story`() async throws {
///     print(try await HistoryRun(.myStore).run())
/// }
/// ```
///
/// For each key, the versions must form one chain without a fork or a gap. Each read, each conflict, and each `theirs`
/// in it must date from a moment between call and return. A failed operation must have no effect. The observations of
/// one transaction or one query must date from one moment. The check is linear in the number of operations, because the
/// versions give the order of writes.
public struct HistoryRun: Sendable {
    private let fixture: StoreFixture
    private let histories: Int
    private let operations: Int
    private let clients: Int
    private let seed: UInt64

    /// Plans a run.
    ///
    /// - Parameters:
    ///   - histories: The number of histories, each on a fresh store; by default, ``RunSize/current`` decides: 1, 80,
    ///     or 2,000.
    ///   - operations: The number of operations in a history, over all clients; by default 300, 1,000, or 1,000.
    ///   - clients: The number of concurrent clients.
    ///   - seed: The seed of the clients' requests. It does not determine their interleaving, so a run cannot be
    ///     repeated exactly.
    public init(
        _ fixture: StoreFixture, histories: Int = RunSize.current.of(quick: 1, ci: 80, prove: 2000),
        operations: Int = RunSize.current.of(quick: 300, ci: 1000, prove: 1000), clients: Int = 8,
        seed: UInt64 = RunSize.seed
    ) {
        self.fixture = fixture
        self.histories = histories
        self.operations = operations
        self.clients = clients
        self.seed = seed
    }

    /// Runs all histories.
    ///
    /// - Throws: ``HistoryRefused`` for the first impossible history; any unexpected error of a store.
    public func run() async throws -> RunReport {
        let start = ContinuousClock.now
        var (chance, events) = (Chance(seed: seed), 0)
        for number in 1...max(1, histories) {
            let history = try await history(seed: chance.next())
            events += history.count
            do {
                try HistoryChecker.check(history)
            } catch {
                throw HistoryRefused(store: fixture.name, number: number, seed: seed, reason: "\(error)")
            }
        }
        return RunReport(
            "concurrent histories, \(fixture)", figure: "\(histories) histories, \(events) events", seed: seed,
            duration: ContinuousClock.now - start)
    }

    private func history(seed: UInt64) async throws -> [HistoryEvent] {
        let scratch = "history-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let store = try await fixture.open(Library.schemas(), scratch)
        do {
            let events = try await history(on: store, seed: seed)
            await store.close()
            await fixture.discard(scratch)
            return events
        } catch {
            await store.close()
            await fixture.discard(scratch)
            throw error
        }
    }

    private func history(on store: any Store, seed: UInt64) async throws -> [HistoryEvent] {
        // After a conflict, clients retry at once, because histories are meant to contain many conflicts.
        let retry = RetryPolicy(attempts: 3, sleep: { _ in await Task.yield() })
        let manager = StoreManager(store, mappers: try MapperSet(Library.mappers), retry: retry)
        let (clock, each) = (HistoryClock(), operations / max(1, clients))
        let first = try await born(in: manager, clock)
        return try await withThrowingTaskGroup(of: [HistoryEvent].self) { group in
            for number in 1...max(1, clients) {
                group.addTask {
                    let chance = Chance(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
                    var client = HistoryClient(number, manager, clock, chance: chance)
                    for _ in 0..<each { try await client.act() }
                    return client.events
                }
            }
            var events = try await group.reduce(into: first) { $0 += $1 }
            var last = HistoryClient(0, manager, clock, chance: Chance(seed: 0))
            try await last.readAll()
            events += last.events
            return events
        }
    }

    /// The keys that exist from the start.
    private func born(in manager: any PersistencyManager, _ clock: HistoryClock) async throws -> [HistoryEvent] {
        let begin = clock.tick()
        try await manager.transaction { manager in
            for key in HistoryKeys.mortal { try await manager.create(HistoryKeys.counter(key, -key)) }
        }
        var event = HistoryEvent(client: 0, what: "begins", begin: begin, end: clock.tick())
        for key in HistoryKeys.mortal { event.written[key] = .put(version: 1, value: -key) }
        return [event]
    }
}

/// A history that is impossible for a store that executes operations one at a time.
public struct HistoryRefused: Error, Sendable {
    /// The kind of store.
    public let store: String
    /// The number of the history in the run, from 1.
    public let number: Int
    /// The seed of the clients' requests.
    public let seed: UInt64
    /// The violation, and the events that show it.
    public let reason: String
}

extension HistoryRefused: CustomStringConvertible {
    /// A report of many lines.
    public var description: String { "\(store), history \(number), seed \(seed): \(reason)" }
}
