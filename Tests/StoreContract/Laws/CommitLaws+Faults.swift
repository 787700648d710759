internal import LarderData
internal import LarderDomain

/// The order of faults that `Store.commit` documents: each pair of faults in one change set, and all of them.
extension CommitLaws {
    static let faults: [Law] = [
        Law(.commits, "Of several faults the first is reported, in the order that the port documents") { trial in
            let scene = try await FaultScene(trial)
            let pieces = scene.pieces
            for (index, first) in pieces.enumerated() {
                try await scene.expect(first.fault, of: [first])
                for later in pieces[(index + 1)...] { try await scene.expect(first.fault, of: [first, later]) }
                try await scene.expect(first.fault, of: Array(pieces[index...]))
            }
            try await scene.expectUnharmed()
        }.tests(
            "commit.6", "commit.8", "commit.10", "commit.11", "commit.12", "commit.13", "commit.14", "commit.15",
            "conflict.1", "conflict.2", "conflict.3", "dangling.1", "dangling.2", "dangling.3", "duplicate.1",
            "duplicate.2", "duplicate.3", "invalid.1", "invalid.3", "set.6", "set.8"),
        Law(.commits, "A deletion without a version is refused, whether the root exists or not") { trial in
            let (there, absent) = (try Author(trial.id(), "Ada").object, try Author(trial.id(), "Bea").object)
            try await trial.insert(there)
            for object in [there, absent] {
                for rest in [ChangeSet(), ChangeSet(inserts: [try Author(trial.id(), "Cleo").object])] {
                    var changes = rest
                    changes.deletes = [RootExpectation(object.key, version: nil)]
                    let field = try await invalidField(of: "a deletion without a version") {
                        try await trial.store.commit(changes)
                    }
                    try LarderStoreContract.expect("whom it names", field.id, is: object.id)
                }
            }
            try await trial.expectStored(there)
            try await trial.expectCount(1, of: there.schema)
        }.tests("declared.3", "declared.6", "invalid.2", "set.7"),
        Law(.commits, "A schema that the store was not opened with is refused in every part of a change set") { trial in
            let stranger = EntityKey(EntitySchema(name: "stranger", columns: []), RawID(high: 0, low: 1))
            for changes in [
                ChangeSet(updates: [RootUpdate(stranger, expected: 1, changes: ObjectChanges())]),
                ChangeSet(deletes: [RootExpectation(stranger, version: 1)]),
                ChangeSet(reads: [RootExpectation(stranger, version: nil)]),
                ChangeSet(inserts: [StorageObject(schema: stranger.schema, id: stranger.id, values: [])]),
            ] {
                let error = try await failure(of: "a stranger") { try await trial.store.commit(changes) }
                guard case .unknownEntity("stranger") = error else { throw LawBroken("unexpected error: \(error)") }
            }
        }.tests("declared.5"),
        Law(.commits, "A closed store reports that it is closed before any other fault") { trial in
            let scene = try await FaultScene(trial)
            await trial.store.close()
            for piece in scene.pieces { try await scene.expect(.closed, of: [piece]) }
        }.tests("commit.7"),
        Law(.cancellation, "A cancellation is reported before any fault of the change set") { trial in
            let scene = try await FaultScene(trial)
            for piece in scene.pieces {
                try await Task {
                    unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                    try await scene.expect(.cancelled, of: [piece])
                }.value
            }
            try await scene.expectUnharmed()
        }.tests("commit.7", "commit.28"),
    ]
}

/// Roots, and change sets with one fault each. Each change set has separate roots, so the change sets can be joined.
private struct FaultScene: Sendable {
    struct Piece: Sendable {
        let fault: Fault
        let changes: ChangeSet
    }

    let trial: Trial
    private(set) var pieces: [Piece] = []
    private let all: [StorageObject]

    init(_ trial: Trial) async throws {
        self.trial = trial
        let ids = trial.ids(24, Author.self).map(\.rawValue)
        let members = (0..<8).map { Press.member(ids[$0], "Member \($0)") }
        let article = Press.article(ids[8], "owned", footnotes: [Press.footnote(ids[9], "nested")])
        let magazine = Press.magazine(ids[10], "Holder", articles: [article], editors: [members[4].id])
        all = members + [magazine]
        _ = try await trial.store.commit(ChangeSet(inserts: all))
        func conflict(_ object: StorageObject) -> Fault { .conflict(object.reference, expected: 7, found: 1) }
        func duplicate(_ entity: String, _ columns: [String], _ id: RawID) -> Fault {
            .duplicate(Duplicate(entity: entity, columns: columns, existing: id))
        }
        func dangling(_ entity: String, _ column: String, _ id: RawID) -> Fault {
            .dangling(Dangling(entity: entity, column: column, id: id))
        }
        func add(_ fault: Fault, _ changes: ChangeSet) { pieces.append(Piece(fault: fault, changes: changes)) }
        let nobody = RootExpectation(EntityKey(Press.member, ids[23]), version: nil)
        add(.invalid(entity: "member", field: "version"), ChangeSet(deletes: [nobody]))
        // Several of each kind, in the order of the change set, which differs from the order of ids; some concern
        // absent roots.
        let absent = (17..<20).map { Press.member(ids[$0], "Absent \($0)") }
        func missing(_ object: StorageObject) -> Fault { .conflict(object.reference, expected: 7, found: nil) }
        for read in [members[7], members[0]] {
            add(conflict(read), ChangeSet(reads: [read.deletion(expecting: 7)]))
        }
        add(missing(absent[0]), ChangeSet(reads: [absent[0].deletion(expecting: 7)]))
        add(
            .conflict(members[4].reference, expected: nil, found: 1),
            ChangeSet(reads: [RootExpectation(members[4].key, version: nil)]))
        add(missing(absent[1]), ChangeSet(updates: [absent[1].update(to: absent[1], expecting: 7)]))
        add(conflict(members[1]), ChangeSet(updates: [members[1].update(to: members[1], expecting: 7)]))
        add(missing(absent[2]), ChangeSet(deletes: [absent[2].deletion(expecting: 7)]))
        add(conflict(members[2]), ChangeSet(deletes: [members[2].deletion(expecting: 7)]))
        add(duplicate("magazine", ["id"], magazine.id), ChangeSet(inserts: [Press.magazine(magazine.id, "New 0")]))
        let again = [Press.member(members[3].id, "New 1"), Press.member(members[5].id, "New 2")]
        add(duplicate("member", ["id"], members[3].id), ChangeSet(inserts: again))
        let thief = Press.magazine(ids[11], "Thief", articles: [Press.article(article.id, "stolen")])
        add(duplicate("article", ["id"], article.id), ChangeSet(inserts: [thief]))
        add(
            duplicate("member", ["name"], members[6].id),
            ChangeSet(inserts: [Press.member(ids[12], "Member 6")]))
        let loose = Press.magazine(
            ids[13], "Loose",
            articles: [Press.article(ids[14], "", footnotes: [Press.footnote(ids[15], "", see: [ids[16]])])])
        add(dangling("footnote", "see", ids[16]), ChangeSet(inserts: [loose]))
    }

    /// Fails the law unless the pieces, committed together, have this fault.
    func expect(_ fault: Fault, of pieces: [Piece]) async throws {
        var joined = ChangeSet()
        for piece in pieces {
            joined.inserts += piece.changes.inserts
            joined.updates += piece.changes.updates
            joined.deletes += piece.changes.deletes
            joined.reads += piece.changes.reads
        }
        let error = try await failure(of: "a change set with \(pieces.map(\.fault))") {
            try await trial.store.commit(joined)
        }
        try LarderStoreContract.expect("the fault of \(pieces.map(\.fault))", Fault(error), is: fault)
    }

    /// Fails the law if any of them left data behind.
    func expectUnharmed() async throws {
        for object in all { try await trial.expectStored(object) }
        try await trial.expectCount(8, of: Press.member)
        try await trial.expectCount(1, of: Press.magazine)
    }
}
