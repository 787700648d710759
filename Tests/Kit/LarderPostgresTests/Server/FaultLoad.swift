#if Postgres
import LarderData
import LarderDomain
import LarderPostgres
import Testing

/// The answers to commits of one note each, while a server or connections fail: new notes, and updates of others.
struct FaultLoad {
    /// A note that one task updates, each time to the next rank.
    private struct Updated {
        let id: RawID
        /// The last stored rank.
        var rank: Int64 = 0
        /// The update to the next rank, if it is in doubt: the last one of the note.
        var inDoubt: CommitID?
    }

    private(set) var stored: [RawID] = []
    private(set) var refused: [RawID] = []
    private(set) var inDoubt: [(commit: CommitID, note: RawID)] = []
    private var updated: [Updated] = []
    /// The number of updates that were stored or are in doubt.
    var updates: Int { updated.reduce(0) { $0 + Int($1.rank) + ($1.inDoubt == nil ? 0 : 1) } }

    /// Commits new notes from four tasks, and updates from six, until the task is cancelled.
    static func run(_ store: PostgresStore, _ name: String) async -> FaultLoad {
        await withTaskGroup(of: FaultLoad.self) { group in
            for task in 0..<4 {
                group.addTask {
                    var load = FaultLoad()
                    for number in 0... {
                        if Task.isCancelled { break }
                        await load.commit(Sample.note("\(name) \(task) \(number)"), to: store)
                    }
                    return load
                }
            }
            for task in 0..<6 {
                group.addTask {
                    var load = FaultLoad()
                    for number in 0... {
                        if Task.isCancelled { break }
                        await load.update(Sample.note("\(name) updated \(task) \(number)"), of: store)
                    }
                    return load
                }
            }
            return await group.reduce(into: FaultLoad()) { $0 += $1 }
        }
    }

    private mutating func commit(_ note: StorageObject, to store: PostgresStore) async {
        let changes = ChangeSet(inserts: [note])
        do {
            _ = try await store.commit(changes)
            stored.append(note.id)
        } catch PersistencyError.inDoubt {
            inDoubt.append((changes.id, note.id))
        } catch PersistencyError.cancelled {
            // At the end of the load.
        } catch {
            refused.append(note.id)
            try? await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Commits a note, and updates it until the task is cancelled, or an update is in doubt.
    private mutating func update(_ note: StorageObject, of store: PostgresStore) async {
        await commit(note, to: store)
        guard stored.last == note.id else { return }
        var (note, state) = (note, Updated(id: note.id))
        note.version = 1
        defer { updated.append(state) }
        while !Task.isCancelled {
            var new = note
            new.values[1] = .integer(state.rank + 1)
            let update = RootUpdate(note.key, expected: note.version, changes: ObjectChanges(from: note, to: new))
            let changes = ChangeSet(updates: [update])
            do {
                _ = try await store.commit(changes)
                note = new
                note.version += 1
                state.rank += 1
            } catch PersistencyError.inDoubt {
                state.inDoubt = changes.id
                return
            } catch PersistencyError.conflict(let conflict) {
                Issue.record("an update was stored, and not acknowledged: \(conflict)")
                return
            } catch {
                try? await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    /// Commits a note, again until it is stored. Returns the time that it took.
    @discardableResult mutating func recover(_ store: PostgresStore) async throws -> Duration {
        let start = ContinuousClock.now
        let count = stored.count
        while stored.count == count {
            try #require(ContinuousClock.now - start < .seconds(20))
            await commit(Sample.note("after \(RawID(high: .random(in: 1 ... .max), low: 0))"), to: store)
        }
        return ContinuousClock.now - start
    }

    /// Expects that the stored notes agree with all answers, and that each note is stored by exactly one commit.
    func check(_ store: PostgresStore, _ connection: PlainConnection) async throws {
        let items = try await store.read(ReadRequest(Sample.note)).items
        let found = Set(items.map(\.id))
        #expect(found.isSuperset(of: stored))
        #expect(found.isDisjoint(with: refused))
        for (commit, note) in inDoubt {
            let outcome = try await store.outcome(of: commit)
            #expect(outcome == (found.contains(note) ? .stored : .absent))
        }
        let ranks = Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0.values[1]) })
        var updates = 0
        for note in updated {
            var rank = note.rank
            if let commit = note.inDoubt, try await store.outcome(of: commit) == .stored { rank += 1 }
            #expect(ranks[note.id] == .integer(rank))
            updates += Int(rank)
        }
        let commits = try await connection.count("SELECT FROM larder_journal WHERE size > 0 AND position > 0")
        #expect(commits == found.count + updates)
    }

    static func += (one: inout FaultLoad, other: FaultLoad) {
        one.stored += other.stored
        one.refused += other.refused
        one.inDoubt += other.inDoubt
        one.updated += other.updated
    }
}
#endif
