/// `PostgresLoad STORE NAME TASKS`: commits until its input ends, and prints a line for each commit. The store is a
/// connection string, or `sqlite:` and a path.
///
/// Each commit inserts an entry; those of the first task also increment a counter that all processes share. A line
/// contains the time in microseconds since 1970, the outcome, the entry, whether the commit increments, and the error:
/// `stored` is acknowledged; `failed` must not be stored; `doubt` is followed by `found` or `absent`, the outcome that the
/// store finds later.
#if Postgres
import Foundation
import LarderData
import LarderDomain
import LarderInfrastructure
import LarderPostgres

@main
struct PostgresLoad {
    static let entry = EntitySchema(name: "entry", columns: [Column(name: "name", type: .text)])
    static let counter = EntitySchema(name: "counter", columns: [Column(name: "count", type: .integer)])
    static let counterID = RawID(high: 1, low: 1)

    let store: any Store
    let name: String

    static func main() async {
        do { try await run() } catch {
            print(error)
            exit(1)
        }
    }

    private static func run() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let tasks = Int(arguments[3]) else {
            print("PostgresLoad STORE NAME TASKS")
            exit(2)
        }
        let store = try await open(arguments[1], SchemaSet([entry, counter]))
        let load = PostgresLoad(store: store, name: arguments[2])
        let work = Task {
            await withTaskGroup { group in
                for task in 0..<tasks { group.addTask { await load.run(task) } }
            }
        }
        await Task.detached { while readLine() != nil {} }.value
        work.cancel()
        await work.value
        await store.close()
    }

    private static func open(_ store: String, _ schemas: SchemaSet) async throws -> any Store {
        let parts = store.split(separator: ":", maxSplits: 1)
        if parts.count == 2, parts[0] == "sqlite" {
            return try await SQLiteStore.open(.init(.file(String(parts[1]))), schemas: schemas)
        }
        return try await PostgresStore.open(.init(store), schemas: schemas)
    }

    private func run(_ task: Int) async {
        for number in 0... {
            if Task.isCancelled { break }
            let entry = "\(name)-\(task)-\(number)"
            do {
                let changes = try await changes(entry, increments: task == 0)
                // Not cancelled at the end of the load, so that the outcome is known.
                await Task { await commit(changes, entry) }.value
            } catch {
                await pause()
            }
        }
    }

    private func changes(_ name: String, increments: Bool) async throws -> ChangeSet {
        let entry = StorageObject(
            schema: Self.entry, id: RawID(high: .random(in: 1 ... .max), low: 0), values: [.text(name)])
        var changes = ChangeSet(inserts: [entry])
        if !increments { return changes }
        guard let old = try await store.read(Self.counterID, of: Self.counter) else {
            changes.inserts.append(StorageObject(schema: Self.counter, id: Self.counterID, values: [.integer(1)]))
            return changes
        }
        guard case .integer(let count) = old.values[0] else { return changes }
        var increment = ObjectChanges()
        increment.columns = [ColumnChange(column: 0, value: .integer(count + 1))]
        changes.updates = [RootUpdate(old.key, expected: old.version, changes: increment)]
        return changes
    }

    private func commit(_ changes: ChangeSet, _ entry: String) async {
        let work = "\(entry) \(changes.inserts.count + changes.updates.count > 1 ? 1 : 0)"
        do {
            _ = try await store.commit(changes)
            log("stored \(work)")
        } catch PersistencyError.inDoubt(let id, let cause) {
            log("doubt \(work) \(cause)")
            log("\(await outcome(of: id) == .stored ? "found" : "absent") \(work)")
        } catch {
            log("failed \(work) \(error)")
            await pause()
        }
    }

    /// The outcome, once the store knows it.
    private func outcome(of id: CommitID) async -> CommitOutcome {
        while true {
            if let outcome = try? await store.outcome(of: id), outcome != .unknown { return outcome }
            await pause()
        }
    }

    private func pause() async { try? await Task.sleep(for: .milliseconds(20)) }

    private func log(_ line: String) {
        let text = "\(Timestamp.now().microseconds) \(line.replacing("\n", with: " "))\n"
        // One write, so that lines of several tasks do not mix.
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}
#else
@main
struct PostgresLoad {
    static func main() { fatalError("build it with --traits Postgres") }
}
#endif
