internal import LarderData
internal import LarderDomain

/// Schemas that are not roots of the store: those of owned objects, and those that it was not opened with.
extension CommitLaws {
    static let strangers: [Law] = [
        Law(.queries, "Every read of a schema that is not a root of the store is refused, naming the schema") { trial in
            let magazine = try await Stranger.magazine(trial)
            for stranger in Stranger.all(of: magazine, trial) {
                let (store, schema) = (trial.store, stranger.schema)
                for content in [ReadRequest.Content.rows, .complete, .versions] {
                    for limit in [nil, 1] {
                        let request = ReadRequest(schema, limit: limit, includesTotal: true, content: content)
                        try await stranger.expectRefused("a page") {
                            try await store.withRows(request) { (_) throws(PersistencyError) in }
                        }
                    }
                }
                for ids in [[], [stranger.id], [stranger.id, trial.rawID()]] {
                    try await stranger.expectRefused("a read by \(ids.count) ids") {
                        try await store.withRows(ids, of: schema) { (_) throws(PersistencyError) in }
                    }
                }
                for condition in [Condition.always(true), .compare(.id, .equal, .literal(.id(stranger.id)))] {
                    try await stranger.expectRefused("counts") {
                        try await store.counts(CountRequest(schema, where: condition, by: .column(0)))
                    }
                }
                var calls = 0
                var answer: LendAnswer?
                do throws(PersistencyError) {
                    answer = try store.lendAtOnce(stranger.id, of: schema) { _ throws(PersistencyError) in calls += 1 }
                } catch {
                    try expect("the error", Fault(error), is: .unknownEntity(schema.name))
                }
                try expect(answer ?? .declined == .declined, "a store has lent a \(schema.name) at once")
                try expect("the calls of a body that reads at once", calls, is: 0)
            }
        }.tests("store.1"),
        Law(.commits, "A schema that is not a root is refused in every part of a change set, and nothing is stored") {
            trial in
            let magazine = try await Stranger.magazine(trial)
            let member = Press.member(trial.rawID(), "Ada")
            for stranger in Stranger.all(of: magazine, trial) {
                for part in stranger.changeSets {
                    for isAlone in [true, false] {
                        var changes = part
                        if !isAlone { changes.inserts.insert(member, at: 0) }
                        try await stranger.expectRefused("a commit") { [changes] in
                            try await trial.store.commit(changes)
                        }
                        try expect(
                            "its outcome", try await trial.store.outcome(of: changes.id), is: .absent)
                    }
                }
            }
            try await trial.expectAbsent(member)
            try await trial.expectEveryRead(of: [magazine.at(version: 1)], Press.magazine)
        }.tests("declared.5", "commit.8", "commit.30"),
    ]
}

/// An id and a schema that is not a root.
private struct Stranger: Sendable {
    let schema: EntitySchema
    let id: RawID
    private let object: StorageObject

    /// Stores a magazine with owned objects at both depths.
    static func magazine(_ trial: Trial) async throws -> StorageObject {
        let article = Press.article(
            trial.rawID(), "a", footnotes: [Press.footnote(trial.rawID(), "f")],
            figures: [Press.figure(trial.rawID(), [1])])
        let magazine = Press.magazine(
            trial.rawID(), "M", articles: [article], adverts: [Press.advert(trial.rawID(), price: 3)])
        try await trial.insert(magazine)
        return magazine
    }

    /// The owned objects that are stored, one that is not, and an object of a schema that the store does not have.
    static func all(of magazine: StorageObject, _ trial: Trial) -> [Stranger] {
        let (article, advert) = (magazine.children[0][0], magazine.children[1][0])
        let reference = Reference(target: "member", onDelete: .remove)
        let column = Column(name: "member_id", type: .id, isNullable: true, reference: reference)
        let unknown = EntitySchema(name: "stranger", columns: [column])
        return [
            article, advert, article.children[0][0], article.children[1][0], Press.advert(trial.rawID()),
            StorageObject(schema: unknown, id: trial.rawID(), values: [.null]),
        ].map { Stranger(schema: $0.schema, id: $0.id, object: $0) }
    }

    /// One change set for each part that names a root.
    var changeSets: [ChangeSet] {
        [
            ChangeSet(inserts: [object]), ChangeSet(updates: [object.update(to: object, expecting: 1)]),
            ChangeSet(deletes: [object.deletion(expecting: 1)]), ChangeSet(reads: [object.deletion(expecting: 1)]),
            ChangeSet(reads: [RootExpectation(object.key, version: nil)]),
            ChangeSet(removals: schema.references.prefix(1).map { ReferenceRemoval(of: id, from: $0) }),
        ]
    }

    func expectRefused<Result>(_ what: String, _ action: () async throws -> Result) async throws {
        let error = try await failure(of: "\(what) of \(schema.name)", action)
        try expect("the error of \(what)", Fault(error), is: .unknownEntity(schema.name))
    }
}
