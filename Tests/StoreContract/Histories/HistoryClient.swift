#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderDomain

/// One of several concurrent clients. It records its requests and the answers.
struct HistoryClient {
    let number: Int
    let manager: any PersistencyManager
    let clock: HistoryClock
    var chance: Chance
    private(set) var events: [HistoryEvent] = []
    /// The versions and values that the client knows; others may have replaced them.
    private var known: [Int: (version: Int64, value: Int)] = [:]
    private let updatesByQuery: Bool
    private var writes = 0

    init(
        _ number: Int, _ manager: any PersistencyManager, _ clock: HistoryClock, chance: Chance,
        updatesByQuery: Bool = false
    ) {
        (self.number, self.updatesByQuery) = (number, updatesByQuery)
        self.manager = manager
        self.clock = clock
        self.chance = chance
    }

    /// Performs a random operation and waits for the answer.
    mutating func act() async throws {
        let key = HistoryKeys.any(using: &chance)
        switch chance.next() % 20 {
        case 0..<5: try await read([key])
        case 5, 6: try await read((0..<3).map { _ in HistoryKeys.any(using: &chance) })
        case 7 where chance.happens(oneIn: 2): try await readAll()
        case 8 where updatesByQuery: try await updateByQuery(key)
        case 8..<13: try await update(key)
        case 13, 14: try await save(HistoryKeys.lasting(using: &chance))
        case 15: try await create(HistoryKeys.lasting(using: &chance))
        case 16 where chance.happens(oneIn: 2): try await delete(HistoryKeys.mortal(using: &chance))
        default:
            let (hot, other) = (HistoryKeys.hot(using: &chance), HistoryKeys.hot(using: &chance))
            try await transact([hot, other, HistoryKeys.any(using: &chance)])
        }
        if chance.happens(oneIn: 3) { await Task.yield() }
    }

    /// A value that no other client writes.
    private mutating func newValue() -> Int {
        writes += 1
        return number * 1_000_000 + writes
    }

    private mutating func record(
        _ what: String, from begin: Int, _ fill: (inout HistoryEvent) throws -> Void
    ) rethrows {
        var event = HistoryEvent(client: number, what: what, begin: begin, end: clock.tick())
        try fill(&event)
        events.append(event)
        for (key, content) in event.seen {
            if case .present(let version?, let value) = content { known[key] = (version, value) }
        }
        for (key, write) in event.written {
            if case .put(let version, let value) = write { known[key] = (version, value) }
        }
    }

    private mutating func read(_ keys: [Int]) async throws {
        let begin = clock.tick()
        let found = try await manager.read(keys.map(HistoryKeys.id))
        record("reads", from: begin) { $0.saw(found, of: keys) }
    }

    mutating func readAll() async throws {
        let begin = clock.tick()
        let found = try await manager.read(Query<Counter>()).items
        record("reads all", from: begin) { $0.saw(found, of: Array(HistoryKeys.all)) }
    }

    private mutating func update(_ key: Int) async throws {
        let (value, begin, version) = (newValue(), clock.tick(), known[key]?.version ?? 1)
        do {
            let saved = try await manager.update(HistoryKeys.counter(key, value), expecting: version)
            record("updates", from: begin) { event in
                event.versions[key] = version
                event.written[key] = .put(version: saved.stored.version, value: value)
                if saved.stored.version != version + 1 { event.fault = "an update did not raise the version by one" }
            }
        } catch {
            try failed("updates", from: begin, key, expecting: version, error)
        }
    }

    /// Replaces a known value. Each value is written once, so it tells the version.
    private mutating func updateByQuery(_ key: Int) async throws {
        guard let old = known[key] else { return try await read([key]) }
        let (value, begin, count) = (newValue(), clock.tick(), old.value)
        let changed = try await manager.update(matching: Query<Counter>(#Predicate { $0.count == count })) {
            $0.set(\.count, to: value)
        }
        // If no entity has the value any more, the next read tells what has become of it.
        guard changed > 0 else { return }
        record("updates by query", from: begin) { event in
            event.versions[key] = old.version
            event.written[key] = .put(version: old.version + 1, value: value)
            if changed > 1 { event.fault = "\(changed) keys had one value" }
        }
    }

    private mutating func save(_ key: Int) async throws {
        let (value, begin) = (newValue(), clock.tick())
        do {
            let saved = try await manager.save(HistoryKeys.counter(key, value))
            record("saves", from: begin) { event in
                event.written[key] = .put(version: saved.stored.version, value: value)
                switch saved.outcome {
                case .inserted: event.seen[key] = .absent
                case .updated: event.versions[key] = saved.stored.version - 1
                case .unchanged: event.fault = "a new value was taken for the one that was there"
                }
            }
        } catch {
            try failed("saves", from: begin, key, expecting: nil, error)
        }
    }

    private mutating func create(_ key: Int) async throws {
        let (value, begin) = (newValue(), clock.tick())
        do {
            let stored = try await manager.create(HistoryKeys.counter(key, value))
            record("creates", from: begin) { event in
                event.seen[key] = .absent
                event.written[key] = .put(version: stored.version, value: value)
            }
        } catch {
            try failed("creates", from: begin, key, expecting: nil, error)
        }
    }

    private mutating func delete(_ key: Int) async throws {
        let (begin, version) = (clock.tick(), chance.happens(oneIn: 2) ? known[key]?.version : nil)
        do {
            try await manager.delete(HistoryKeys.id(key), expecting: version)
            record("deletes", from: begin) { event in
                event.versions[key] = version
                event.written[key] = .deleted
            }
        } catch {
            try failed("deletes", from: begin, key, expecting: version, error)
        }
    }

    /// Reads several keys and writes one or two of those present.
    private mutating func transact(_ keys: [Int]) async throws {
        let values = chance.happens(oneIn: 2) ? [newValue()] : [newValue(), newValue()]
        let (first, begin) = (Int(chance.next() % 3), clock.tick())
        let pauses = Int(chance.next() % 4)
        do {
            let event = try await manager.transaction { manager in
                // The body may run again; observations of an earlier attempt do not count.
                var event = HistoryEvent(client: 0, what: "", begin: 0, end: 0)
                let found = try await manager.read(keys.map(HistoryKeys.id))
                event.saw(found, of: keys)
                for _ in 0..<pauses { await Task.yield() }
                let ids = Set(found.map(\.id)).sorted()
                for (stored, value) in zip(ids.dropFirst(first) + ids.prefix(first), values) {
                    let saved = try await manager.save(Counter(stored, value))
                    event.written[HistoryKeys.key(stored)] = .put(version: saved.stored.version, value: value)
                }
                return event
            }
            record("transacts", from: begin) { ($0.seen, $0.written) = (event.seen, event.written) }
        } catch {
            try failed("transacts", from: begin, nil, expecting: nil, error)
        }
    }

    /// Records the information in an expected error; throws unexpected errors.
    private mutating func failed(
        _ what: String, from begin: Int, _ key: Int?, expecting version: Int64?, _ error: any Error
    ) throws {
        switch error {
        case PersistencyError.notFound(let reference):
            record("\(what) in vain", from: begin) { $0.seen[HistoryKeys.key(reference.id)] = .absent }
        case PersistencyError.duplicate(let duplicate) where duplicate.columns == ["id"]:
            record("\(what) in vain", from: begin) { $0.taken = HistoryKeys.key(duplicate.existing) }
        case PersistencyError.conflict(let conflict):
            let key = HistoryKeys.key(conflict.reference.id)
            record("\(what) and loses", from: begin) { event in
                if let found = conflict.found { event.versions[key] = found } else { event.seen[key] = .absent }
                if version != nil, conflict.expected != version { event.fault = "a conflict about another version" }
                if conflict.found == conflict.expected { event.fault = "a conflict with what was expected" }
            }
            // The winning version is read later, at a different moment.
            let theirs = (conflict.theirs as? Counter)?.count
            record("\(what), loses, and is shown theirs", from: begin) {
                $0.seen[key] = theirs.map { .present(version: nil, value: $0) } ?? .absent
            }
        default: throw error
        }
    }
}

extension HistoryEvent {
    /// Records the objects that a read returned and the keys that it did not find.
    fileprivate mutating func saw(_ found: [Stored<Counter>], of keys: [Int]) {
        for key in keys { seen[key] = .absent }
        for stored in found {
            seen[HistoryKeys.key(stored.id)] = .present(version: stored.version, value: stored.count)
        }
    }
}
