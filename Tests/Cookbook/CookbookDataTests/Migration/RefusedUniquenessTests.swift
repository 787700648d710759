import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// Values that a release makes unique and that are not, without the step that resolves them.
@Suite(.serialized) struct RefusedUniquenessTests {
    /// A release with equal values, the missing step, and the first objects that have them.
    struct Case: Sendable, CustomTestStringConvertible {
        let release: Int
        let step: String
        let entity: String
        let objects: [RawID]

        var testDescription: String { "release \(release) without \(step)" }
    }

    static let cases = [1, 4, 6].flatMap { release in
        [
            Case(
                release: release, step: "distinct-tags", entity: "tag",
                objects: [1, 2].map { HistoricalData.id(.tag, $0) }),
            Case(
                release: release, step: "no-placeholders", entity: "recipe",
                objects: [4, 8].map { HistoricalData.id(.recipe, $0) }),
        ]
    }

    private func expectRefusal(
        _ `case`: Case, _ kind: String, _ body: (SchemaSet) async throws -> Void
    ) async throws {
        let schemas = try CookbookHistory.newest(without: [`case`.step])
        let error = await persistencyError { try await body(schemas) }
        guard case .incompatible(let message)? = error else {
            Issue.record("\(kind): \(error.map { "\($0)" } ?? "migrated")")
            return
        }
        for part in [`case`.entity] + `case`.objects.map(\.description) {
            #expect(message.contains(part), "\(kind): \(message)")
        }
    }

    @Test(arguments: cases)
    func `memory refuses the migration, names the objects, and stays as it is`(example: Case) async throws {
        let store = MemoryStore(try CookbookHistory.schemas(of: example.release))
        let objects = try await TimeMachine.fill(store, release: example.release)
        try await expectRefusal(example, "memory") { _ = try store.migrated(to: $0) }
        #expect(try await store.everything() == objects)
        let migrated = try store.migrated(to: CookbookHistory.newest())
        try await TimeMachine.check(migrated, from: example.release, "memory")
    }

    @Test(arguments: cases)
    func `a file store refuses the migration, names the objects, and stays as it is`(example: Case) async throws {
        let scratch = Scratch()
        try await TimeMachine.makeFiles(scratch.folder, release: example.release)
        let (log, marker) = (scratch.folder + "/larder.log", scratch.folder + "/larder.closed")
        let before = try [log, marker].map(TimeMachine.bytes)
        try await expectRefusal(example, "file") { try await TimeMachine.files(scratch.folder, $0).close() }
        #expect(try [log, marker].map(TimeMachine.bytes) == before)
        let migrated = try await TimeMachine.files(scratch.folder, CookbookHistory.newest())
        try await TimeMachine.check(migrated, from: example.release, "file")
        await migrated.close()
    }

    @Test(arguments: cases)
    func `a database refuses the migration, names the objects, and stays as it is`(example: Case) async throws {
        let scratch = Scratch()
        try await TimeMachine.makeDatabase(scratch.path, release: example.release)
        let (before, lines) = (try TimeMachine.bytes(scratch.path), try DatabaseStructure.lines(scratch.path))
        try await expectRefusal(example, "sqlite") { try await TimeMachine.database(scratch.path, $0).close() }
        #expect(try TimeMachine.bytes(scratch.path) == before)
        #expect(try DatabaseStructure.lines(scratch.path) == lines)
        let old = try await TimeMachine.database(scratch.path, CookbookHistory.schemas(of: example.release))
        #expect(
            try await old.everything().count == HistoricalData.objects(of: old.schemas, release: example.release).count)
        await old.close()
        let migrated = try await TimeMachine.database(scratch.path, CookbookHistory.newest())
        try await TimeMachine.check(migrated, from: example.release, "sqlite")
        await migrated.close()
    }
}
