#if Postgres
import LarderData
import LarderDomain
import LarderPostgres
import Testing

/// The answers to commits of one note each, while a server or connections fail.
struct FaultLoad {
    private(set) var stored: [RawID] = []
    private(set) var refused: [RawID] = []
    private(set) var inDoubt: [(commit: CommitID, note: RawID)] = []

    /// Commits from four tasks until the task is cancelled.
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

    /// Commits a note, again until it is stored. Returns the time that it took.
    mutating func recover(_ store: PostgresStore) async throws -> Duration {
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
        let found = Set(try await store.read(ReadRequest(Sample.note)).items.map(\.id))
        #expect(found.isSuperset(of: stored))
        #expect(found.isDisjoint(with: refused))
        for (commit, note) in inDoubt {
            let outcome = try await store.outcome(of: commit)
            #expect(outcome == (found.contains(note) ? .stored : .absent))
        }
        let commits = try await connection.count("SELECT FROM larder_journal WHERE size > 0 AND position > 0")
        #expect(commits == found.count)
    }

    static func += (one: inout FaultLoad, other: FaultLoad) {
        one.stored += other.stored
        one.refused += other.refused
        one.inDoubt += other.inDoubt
    }
}
#endif
