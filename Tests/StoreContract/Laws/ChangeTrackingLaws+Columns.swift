internal import LarderData
internal import LarderDomain

/// Columns that the store contains and the program does not declare.
extension ChangeTrackingLaws {
    static let columns: [Law] = [
        Law(
            .changeTracking, "A store with further nullable or defaulted columns opens and keeps them",
            needs: [.durable]
        ) { trial in
            let (new, old) = (try Deployment(isNew: true), try Deployment(isNew: false))
            let ids = (0..<3).map { _ in trial.rawID() }
            let parts = (0..<4).map { _ in trial.rawID() }
            let first = new.thing(ids[0], [.text("a"), .text("kept"), .integer(7)], [new.part(parts[0], .integer(5))])
            let other = new.thing(ids[1], [.text("b"), .text("also kept"), .integer(8)], [])
            try await trial.succession([
                (new.schemas, { store in _ = try await store.commit(ChangeSet(inserts: [first, other])) }),
                (
                    old.schemas,
                    { store in
                        let read = try await store.read([ids[0]], of: old.root)
                        try expect("a root", read, is: [old.thing(ids[0], [.text("a")], [old.part(parts[0])])])
                        let page = try await store.read(ReadRequest(old.root, order: [OrderTerm(.column(0))]))
                        try expect("the values of a page", page.items.map(\.values), is: [[.text("a")], [.text("b")]])
                        var changed = read[0]
                        changed.values = [.text("c")]
                        changed.children[0][0].values = [.text("changed")]
                        changed.children[0].append(old.part(parts[1]))
                        let added = old.thing(ids[2], [.text("d")], [old.part(parts[2])])
                        _ = try await store.commit(
                            ChangeSet(inserts: [added], updates: [read[0].update(to: changed, expecting: 1)]))
                        try expect("the changed root", try await store.read(ids[0], of: old.root), is: changed)
                    }
                ),
                (
                    old.schemas,
                    { store in
                        try expect(
                            "the number of results", try await store.read(ReadRequest(old.root)).items.count, is: 3)
                    }
                ),
                (
                    new.schemas,
                    { store in
                        let found = try await store.read(ReadRequest(new.root)).items
                        let kept = [new.part(parts[0], name: "changed", .integer(5)), new.part(parts[1], .null)]
                        let expected = [
                            new.thing(ids[0], [.text("c"), .text("kept"), .integer(7)], kept), other,
                            new.thing(ids[2], [.text("d"), .null, .integer(-3)], [new.part(parts[2], .null)]),
                        ]
                        try expect("the stored state", found, is: expected)
                        try expect("the versions", found.map(\.version), is: [2, 1, 1])
                    }
                ),
            ])
        }.tests("commit.5", "set.17", "store.3")
    ]
}

/// The schemas of one version of a program.
private struct Deployment: Sendable {
    let root: EntitySchema
    let owned: EntitySchema
    let schemas: SchemaSet

    init(isNew: Bool) throws {
        let name = Column(name: "name", type: .text)
        let size = Column(name: "size", type: .integer, isNullable: true)
        let note = Column(name: "note", type: .text, isNullable: true)
        let count = Column(name: "count", type: .integer, defaultValue: .integer(-3))
        owned = EntitySchema(name: "part", columns: isNew ? [name, size] : [name])
        root = EntitySchema(
            name: "thing", columns: isNew ? [name, note, count] : [name],
            children: [ChildRelationship(name: "parts", schema: owned)], indexes: [[0]])
        schemas = try SchemaSet([root])
    }

    func thing(_ id: RawID, _ values: [Value], _ parts: [StorageObject]) -> StorageObject {
        StorageObject(schema: root, id: id, values: values, children: [parts])
    }

    func part(_ id: RawID, name: String = "part", _ further: Value...) -> StorageObject {
        StorageObject(schema: owned, id: id, values: [.text(name)] + further)
    }
}
