import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// Two versions of a program on one store: the newer one has added a column, an index and an entity.
@Suite(.serialized) struct RollingDeploymentTests {
    private static let name = Column(name: "name", type: .text)
    private static let note = Column(name: "note", type: .text, defaultValue: .text("none"))
    private static let review = EntitySchema(
        name: "review",
        columns: [Column(name: "tag_id", type: .id, reference: Reference(target: "tag", onDelete: .refuse))])

    private let old: SchemaSet
    private let new: SchemaSet

    init() throws {
        old = try SchemaSet([EntitySchema(name: "tag", columns: [Self.name])])
        new = try SchemaSet([
            EntitySchema(name: "tag", columns: [Self.note, Self.name], indexes: [[1]]), Self.review,
        ])
    }

    /// Alternately opens the store with both versions, which insert and change objects.
    private func handOver(_ open: (SchemaSet) async throws -> any Store) async throws {
        var expected: [RawID: [Value]] = [:]
        for round in 0..<100 {
            let isNew = round % 2 == 0
            let store = try await open(isNew ? new : old)
            let schema = store.schemas.roots[0]
            var inserts = [tag(round, isNew, schema)]
            if round == 0 {
                inserts.append(
                    StorageObject(schema: new.roots[1], id: Sample.id(1_000), values: [.id(Sample.id(0))]))
            }
            var changes = ChangeSet(inserts: inserts)
            if round > 0 {
                let before = try #require(try await store.read(Sample.id(round - 1), of: schema))
                var changed = before
                try changed.set("name", .text("changed \(round)"))
                changes.updates = [changed.update(from: before)]
                expected[Sample.id(round - 1)]?[1] = .text("changed \(round)")
            }
            _ = try await store.commit(changes)
            expected[Sample.id(round)] = [isNew ? .text("new \(round)") : .text("none"), .text("name \(round)")]
            await store.close()
        }
        let store = try await open(new)
        let found = try await store.read(ReadRequest(new.roots[0])).items
        #expect(Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0.values) }) == expected)
        #expect(found.count == 100 && found.dropLast().allSatisfy { $0.version == 2 })
        #expect(try await store.read(ReadRequest(new.roots[1])).items.count == 1)
        await store.close()
    }

    private func tag(_ number: Int, _ isNew: Bool, _ schema: EntitySchema) -> StorageObject {
        let name = Value.text("name \(number)")
        return StorageObject(
            schema: schema, id: Sample.id(number), values: isNew ? [.text("new \(number)"), name] : [name])
    }

    @Test func `a hundred handovers of a database lose nothing`() async throws {
        let scratch = Scratch()
        try await handOver { try await scratch.open(schemas: $0) }
        // The index of the newer version stays, and the history has one entry for each version.
        let status = try SQLiteStore.schemaStatus(path: scratch.path, schemas: old)
        #expect(status.history.count == 1 && status.changes.isEmpty)
        #expect(status.kept.count == 3, "\(status.kept)")
    }

    @Test func `a hundred handovers of a log lose nothing`() async throws {
        let scratch = Scratch()
        try await handOver { try await FileStore.open(.init(scratch.folder), schemas: $0) }
        let status = try FileStore.schemaStatus(inFolder: scratch.folder, schemas: old)
        #expect(status.changes.isEmpty && status.kept.contains { $0.hasPrefix("review") })
    }

    @Test func `an older program is served without an index that a newer version has removed`() async throws {
        let scratch = Scratch()
        let first = try SchemaSet([EntitySchema(name: "tag", columns: [Self.name], indexes: [[0]])])
        let second = try SchemaSet(old.roots, evolution: SchemaEvolution(version: 2))
        for schemas in [first, second, first, second] {
            let store = try await scratch.open(schemas: schemas)
            #expect(try await store.read(ReadRequest(schemas.roots[0])).items.isEmpty)
            await store.close()
        }
        let lines = try DatabaseStructure.lines(scratch.path)
        #expect(!lines.contains { $0.contains("tag_index_name") })
        #expect(try SQLiteStore.schemaStatus(path: scratch.path, schemas: second).history.count == 2)
    }

    @Test func `a new store needs no permission to be created, and an existing one needs it`() async throws {
        let scratch = Scratch()
        let none = MigrationOptions(mode: .none)
        await (try MigrationBench.open(scratch.path, old, none)).close()
        await (try MigrationBench.open(scratch.path, old, none)).close()
        let error = await failure { () async throws(PersistencyError) in
            await (try MigrationBench.open(scratch.path, new, none)).close()
        }
        #expect(error?.description.contains("must be migrated first") == true)
        let folder = FileStore.Configuration(scratch.folder + "/files", migration: none)
        await (try FileStore.open(folder, schemas: old)).close()
        await (try FileStore.open(folder, schemas: old)).close()
    }

    @Test func `an older program does not delete targets of an entity that it does not know`() async throws {
        let (scratch, folder) = (Scratch(), Scratch())
        let stores: [(SchemaSet) async throws -> any Store] = [
            { try await scratch.open(schemas: $0) }, { try await FileStore.open(.init(folder.folder), schemas: $0) },
        ]
        for open in stores {
            let newer = try await open(new)
            let review = StorageObject(schema: new.roots[1], id: Sample.id(9), values: [.id(Sample.id(1))])
            let tags = [1, 2].map { tag($0, true, new.roots[0]) }
            _ = try await newer.commit(ChangeSet(inserts: tags + [review]))
            await newer.close()
            let older = try await open(old)
            func deletion(_ number: Int) -> ChangeSet {
                ChangeSet(deletes: [RootExpectation(EntityKey(old.roots[0], Sample.id(number)), version: 1)])
            }
            let error = await failure { () async throws(PersistencyError) in _ = try await older.commit(deletion(1)) }
            guard case .dangling(let dangling) = error else { return #expect(Bool(false), "\(error as Any)") }
            #expect(dangling.entity == "review" && dangling.column == "tag_id")
            _ = try await older.commit(deletion(2))
            #expect(try await older.read(ReadRequest(old.roots[0])).items.map(\.id) == [Sample.id(1)])
            await older.close()
        }
    }

    @Test(arguments: [true, false])
    func `one version of a program writes while the other reads`(newWrites: Bool) async throws {
        let scratch = Scratch()
        await (try scratch.open(schemas: new)).close()
        let writer = try await scratch.open(schemas: newWrites ? new : old)
        let reader = try await scratch.open(access: .readOnly, schemas: newWrites ? old : new)
        for number in 0..<50 {
            _ = try await writer.commit(ChangeSet(inserts: [tag(number, newWrites, writer.schemas.roots[0])]))
            let read = try #require(try await reader.read(Sample.id(number), of: reader.schemas.roots[0]))
            let name = Value.text("name \(number)")
            #expect(read.values == (newWrites ? [name] : [.text("none"), name]))
        }
        #expect(try await reader.read(ReadRequest(reader.schemas.roots[0])).items.count == 50)
        await reader.close()
        await writer.close()
    }

    @Test func `a reader stays open while a newer version adds to the schema, and again while it writes`() async throws
    {
        let scratch = Scratch()
        let first = try await scratch.open(schemas: old)
        try await first.insert(tag(1, false, old.roots[0]))
        await first.close()
        let reader = try await scratch.open(access: .readOnly, schemas: old)
        #expect(try await reader.read(ReadRequest(old.roots[0])).items.count == 1)
        let second = try await scratch.open(schemas: new)
        try await second.insert(tag(2, true, new.roots[0]))
        #expect(
            try await reader.read(ReadRequest(old.roots[0])).items.map(\.values) == [
                [.text("name 1")], [.text("name 2")],
            ])
        await second.close()
        await reader.close()
    }
}
