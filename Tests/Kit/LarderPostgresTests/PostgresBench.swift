#if Postgres
import LarderData
import LarderDomain
import LarderPostgres
import LarderStoreContract
import Testing

/// Figures of a local server, printed. A debug build on a shared machine tells only orders of magnitude.
@Suite(.postgres, .serialized)
struct PostgresBench {
    @Test(arguments: [1, 8])
    func `commits and reads of concurrent tasks`(tasks: Int) async throws {
        let name = "bench-\(tasks)"
        let store = try await Scratch.open(SchemaSet([Sample.note]), name)
        let notes = (0..<2_000).map { Sample.note("\($0)", id: RawID(high: UInt64($0), low: 1)) }
        try await print("commit of 2,000 rows", count: 1, tasks: 1) { _ in
            _ = try await store.commit(ChangeSet(inserts: notes))
        }
        try await print("inserts with a unique value", count: 400, tasks: tasks) { number in
            _ = try await store.commit(ChangeSet(inserts: [Sample.note("new \(number)")]))
        }
        try await print("updates", count: 400, tasks: tasks) { number in
            var changes = ObjectChanges()
            changes.columns = [ColumnChange(column: 1, value: .integer(Int64(number)))]
            let update = RootUpdate(notes[number].key, expected: 1, changes: changes)
            _ = try await store.commit(ChangeSet(updates: [update]))
        }
        try await print("point reads", count: 4_000, tasks: tasks) { number in
            _ = try await store.read(notes[number % 2_000].id, of: Sample.note)
        }
        let statements = await store.measurements().statements ?? 0
        Swift.print("statements: \(statements)")
        await store.close()
        await Scratch.drop(name)
    }

    private func print(
        _ what: String, count: Int, tasks: Int, _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup { group in
            for task in 0..<tasks {
                group.addTask { for number in stride(from: task, to: count, by: tasks) { try await body(number) } }
            }
            try await group.waitForAll()
        }
        let time = ContinuousClock.now - start
        Swift.print("postgres: \(what), \(tasks) tasks: \(count) in \(time), \(time / count) each")
    }
}

extension StorageObject {
    var key: EntityKey { EntityKey(schema, id) }
}
#endif
