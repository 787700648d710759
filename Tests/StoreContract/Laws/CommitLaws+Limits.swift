internal import LarderData
internal import LarderDomain

extension CommitLaws {
    static let limits: [Law] = [
        Law(.commits, "A change set that is too large is refused as too large, whatever else is wrong with it") {
            trial in
            let bytes = [UInt8](repeating: 7, count: ChangeSet.byteLimit / 64)
            let pictures = try (0..<65).map { _ in try Picture(trial.id(), bytes).object }
            let stranger = EntitySchema(name: "stranger", columns: [])
            var invalid = pictures[0]
            invalid.values = []
            for other in [invalid, StorageObject(schema: stranger, id: trial.rawID(), values: [])] {
                for place in [0, pictures.count] {
                    var changes = ChangeSet(inserts: pictures)
                    changes.inserts.insert(other, at: place)
                    let error = try await failure(of: "a change set that is too large") {
                        try await trial.store.commit(changes)
                    }
                    try expect("the fault", Fault(error), is: .tooLarge)
                }
            }
        }.tests("commit.9"),
        Law(.commits, "The outcomes of the last 65,536 commits are known") { trial in
            let stored = ChangeSet(inserts: [Press.topic(trial.rawID(), "stored")])
            _ = try await trial.store.commit(stored)
            // Without a version, they are refused before any work.
            let deletion = RootExpectation(EntityKey(Press.topic, trial.rawID()), version: nil)
            let refused = (0..<65_535).map { _ in ChangeSet(deletes: [deletion]) }
            for changes in refused {
                try await invalidField(of: "a deletion") { try await trial.store.commit(changes) }
            }
            try expect("the first outcome", try await trial.store.outcome(of: stored.id), is: .stored)
            for changes in [refused[0], refused[65_534]] {
                try expect("a later outcome", try await trial.store.outcome(of: changes.id), is: .absent)
            }
        }.tests("outcome.1"),
    ]
}
