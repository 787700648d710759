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
    private var processes: Processes?

    /// Where clients of a history run if not in this process.
    private struct Processes: Sendable {
        let now: @Sendable () -> Int
        let parts: @Sendable (_ scratch: String, _ seed: UInt64) async throws -> [HistoryPart]
    }

    /// Plans a run.
    ///
    /// - Parameters:
    ///   - fixture: Opens the stores.
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
        self.clients = max(1, clients)
        self.seed = seed
    }

    /// Plans a run whose clients run in other processes, which all open the data of a scratch name.
    ///
    /// - Parameters:
    ///   - fixture: Opens and discards the data.
    ///   - histories: The number of histories, each on fresh data.
    ///   - seed: The seed of the clients' requests.
    ///   - now: The nanoseconds of a monotonic clock that all processes share.
    ///   - parts: Runs the parts of one history at the same time.
    public init(
        _ fixture: StoreFixture, histories: Int, seed: UInt64 = RunSize.seed, now: @escaping @Sendable () -> Int,
        parts: @escaping @Sendable (_ scratch: String, _ seed: UInt64) async throws -> [HistoryPart]
    ) {
        self.init(fixture, histories: histories, operations: 0, clients: 0, seed: seed)
        processes = Processes(now: now, parts: parts)
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
            let events = try await history(on: store, scratch, seed: seed)
            await store.close()
            await fixture.discard(scratch)
            return events
        } catch {
            await store.close()
            await fixture.discard(scratch)
            throw error
        }
    }

    private func history(on store: any Store, _ scratch: String, seed: UInt64) async throws -> [HistoryEvent] {
        let (manager, clock) = (try HistoryPart.manager(store), HistoryClock(processes?.now))
        let first = try await born(in: manager, clock)
        let each = operations / clients
        let parts =
            if let processes {
                try await processes.parts(scratch, seed)
            } else { [try await HistoryPart(1..<clients + 1, each, store, clock, seed: seed)] }
        var last = HistoryClient(0, manager, clock, chance: Chance(seed: 0))
        try await last.readAll()
        return first + parts.flatMap(\.events) + last.events
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
