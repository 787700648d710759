internal import LarderData
internal import LarderDomain

/// Operations on many entities in one call.
extension LifecycleLaws {
    static let batches: [Law] = [
        Law(.lifecycle, "A batch of new entities is one commit, at version 1 each") { trial in
            let stream = await trial.store.changes()
            let counters = (0..<300).reversed().map { Counter(trial.id(), $0) }
            let created = try await trial.manager.create(contentsOf: counters)
            try expect("the result of create", created, is: counters.map { Stored($0, version: 1) })
            let stored = try await trial.manager.read(counters.map(\.id))
            try expect("the stored state", stored, is: created)
            try expect("an empty batch", try await trial.manager.create(contentsOf: [Counter]()).count, is: 0)
            try expect("an empty save", try await trial.manager.save(contentsOf: [Counter]()).count, is: 0)
            let heard = try await trial.heard(stream)
            try expect("the sizes of the commits", heard.map(\.entries.count), is: [300])
        }.tests("create.6", "create.8"),
        Law(.lifecycle, "A batch with an entity that cannot be created creates none") { trial in
            let taken = Author(trial.id(), "Ada")
            try await trial.manager.create(taken)
            let new = (0..<3).map { Author(trial.id(), "New \($0)") }
            for last in [Author(taken.id, "Other"), Author(trial.id(), "Ada"), Author(new[0].id, "Twice")] {
                try await duplicate(of: "a batch") { try await trial.manager.create(contentsOf: new + [last]) }
                for author in new { try await trial.expectAbsent(author.id) }
            }
            try await trial.expectCount(1, of: Author.self)
        }.tests("create.3", "create.6", "create.9"),
        Law(.lifecycle, "A batch above the size limit of a commit is refused as too large, and stores nothing") {
            trial in
            let bytes = [UInt8](repeating: 7, count: ChangeSet.byteLimit / 64)
            let pictures = (0..<65).map { _ in Picture(trial.id(), bytes) }
            let errors = [
                try await failure(of: "creating it") { try await trial.manager.create(contentsOf: pictures) },
                try await failure(of: "saving it") { try await trial.manager.save(contentsOf: pictures) },
            ]
            for error in errors {
                guard case .unavailable(let trouble) = error, trouble.reason == .tooLarge else {
                    throw LawBroken("unexpected error: \(error)")
                }
            }
            try await trial.expectCount(0, of: PictureMapper.schema)
        }.tests("create.10", "declared.1", "save.11"),
        Law(.lifecycle, "A saved batch is one commit of its new and changed entities") { trial in
            let (same, old, new) = (Author(trial.id(), "Ada"), Author(trial.id(), "Bea"), Author(trial.id(), "Cleo"))
            try await trial.manager.create(contentsOf: [same, old])
            let stream = await trial.store.changes()
            let changed = Author(old.id, "Bea the elder")
            let saved = try await trial.manager.save(contentsOf: [new, same, changed])
            let expected = [
                Saved(.inserted, Stored(new, version: 1)), Saved(.unchanged, Stored(same, version: 1)),
                Saved(.updated, Stored(changed, version: 2)),
            ]
            try expect("the result of save", saved, is: expected)
            try await trial.expectStored(changed, version: 2)
            _ = try await trial.manager.save(contentsOf: [changed, same])
            try await duplicate(of: "an id that occurs twice") {
                try await trial.manager.save(contentsOf: [changed, Author(changed.id, "Bea")])
            }
            try await duplicate(of: "a name that is taken") {
                try await trial.manager.save(contentsOf: [Author(old.id, "Bea"), Author(trial.id(), "Ada")])
            }
            try await trial.expectStored(changed, version: 2)
            let heard = try await trial.heard(stream)
            try expect(
                "the kinds of the committed changes", heard.map { $0.entries.map(\.kind) }, is: [[.inserted, .updated]])
        }.tests("save.5", "save.7", "save.9", "save.10"),
        Law(.lifecycle, "A batch in a transaction is a part of its commit, or plans nothing") { trial in
            let (ada, bea, cleo) = (Author(trial.id(), "Ada"), Author(trial.id(), "Bea"), Author(trial.id(), "Cleo"))
            try await trial.manager.create(ada)
            let stream = await trial.store.changes()
            try await trial.manager.transaction { manager in
                try await manager.create(contentsOf: [bea])
                try await duplicate(of: "an entity that the transaction knows") {
                    try await manager.create(contentsOf: [cleo, bea])
                }
                try expect("the state after a failed batch", try await manager.read(cleo.id), is: nil)
                let changed = Author(ada.id, "Ada the elder")
                let saved = try await manager.save(contentsOf: [changed, bea])
                let expected = [
                    Saved(.updated, Stored(changed, version: 2)), Saved(.unchanged, Stored(bea, version: 1)),
                ]
                try expect("the result of save before the commit", saved, is: expected)
                try await expectOutside("saving with an outer manager") {
                    try await trial.manager.save(contentsOf: [cleo])
                }
                try await expectOutside("creating with an outer manager") {
                    try await trial.manager.create(contentsOf: [cleo])
                }
            }
            try await trial.expectAbsent(cleo.id)
            try await trial.expectStored(Author(ada.id, "Ada the elder"), version: 2)
            let heard = try await trial.heard(stream)
            try expect(
                "the kinds of the committed changes", heard.map { $0.entries.map(\.kind) }, is: [[.inserted, .updated]])
        }.tests("create.7", "manager.3", "manager.5"),
    ]
}
