internal import LarderData
internal import LarderDomain

/// The outcome of a commit, read by its id, and inserts at given versions.
extension CommitLaws {
    static let outcomes: [Law] = [
        Law(.commits, "The outcome of a commit is stored after its receipt, and absent after its refusal") { trial in
            let author = try Author(trial.id(), "Ada").object
            let (stored, refused) = (ChangeSet(inserts: [author]), ChangeSet(inserts: [author]))
            _ = try await trial.store.commit(stored)
            try await duplicate(of: "a taken id") { try await trial.store.commit(refused) }
            let update = ChangeSet(updates: [author.update(to: author, expecting: 1)])
            _ = try await trial.store.commit(update)
            try await trial.expectOutcomes([stored: .stored, refused: .absent, update: .stored])
        }.tests("outcome.5", "outcome.6"),
        Law(.commits, "The outcome of a cancelled commit is absent if its error says so") { trial in
            let cancelled = ChangeSet(inserts: [try Author(trial.id(), "Ada").object])
            let store = trial.store
            _ = try? await Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                _ = try await store.commit(cancelled)
            }.value
            try await trial.expectOutcomes([cancelled: .absent])
            try await trial.expectCount(0, of: AuthorMapper.schema)
        }.tests("commit.28", "outcome.6"),
        Law(.commits, "A change set that was refused once and then stored is stored") { trial in
            let (ada, bea) = (try Author(trial.id(), "Ada").object, try Author(trial.id(), "Bea").object)
            let changes = ChangeSet(inserts: [bea], reads: [RootExpectation(ada.key, version: 1)])
            try await conflict(of: "a read of nothing") { try await trial.store.commit(changes) }
            try await trial.expectOutcomes([changes: .absent])
            try await trial.insert(ada)
            _ = try await trial.store.commit(changes)
            try await trial.expectOutcomes([changes: .stored])
            try await duplicate(of: "the same again") { try await trial.store.commit(changes) }
            try await trial.expectOutcomes([changes: .stored])
        }.tests("outcome.5", "outcome.6"),
        Law(.commits, "The outcome of a commit that was never requested is not stored") { trial in
            try await trial.insert(try Author(trial.id(), "Ada").object)
            let outcome = try await trial.store.outcome(of: CommitID())
            try expect(outcome != .stored, "a commit that was never made is said to be stored")
        }.tests("outcome.4"),
        Law(.commits, "Outcomes of 5,000 commits of many tasks are known") { trial in
            let (store, ids) = (trial.store, trial.ids(50, Counter.self))
            let told = try await withThrowingTaskGroup(of: [(CommitID, CommitOutcome)].self) { group in
                for id in ids {
                    group.addTask {
                        var told: [(CommitID, CommitOutcome)] = []
                        let object = try Counter(id).object
                        for attempt in 0..<100 {
                            let changes = ChangeSet(inserts: [object])
                            _ = try? await store.commit(changes)
                            told.append((changes.id, attempt == 0 ? .stored : .absent))
                        }
                        return told
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            for (id, outcome) in told where outcome == .stored || id.rawValue.low.isMultiple(of: 50) {
                try expect("an outcome", try await store.outcome(of: id), is: outcome)
            }
        }.tests("outcome.5", "outcome.6"),
        Law(.commits, "A restored root is inserted at its version, and the next update raises this version") { trial in
            let stream = await trial.store.changes()
            var (old, other) = (try Author(trial.id(), "Ada").object, try Author(trial.id(), "Bea").object)
            (old.version, other.version) = (7, 1)
            var restoring = ChangeSet(inserts: [old, other])
            restoring.keepsVersions = true
            _ = try await trial.store.commit(restoring)
            try await trial.expectStored(old, version: 7)
            try await trial.expectStored(other, version: 1)
            try await conflict(of: "version 1") {
                try await trial.store.commit(ChangeSet(updates: [old.update(to: old, expecting: 1)]))
            }
            _ = try await trial.store.commit(ChangeSet(updates: [old.update(to: old, expecting: 7)]))
            try await trial.expectStored(old, version: 8)
            let versions = try await trial.heard(stream).map { $0.entries.map(\.version) }
            try expect("the received versions", versions, is: [[7, 1], [8]])
        }.tests("commit.19", "event.8", "set.11"),
        Law(.commits, "A root that is deleted and restored at once is replaced, and references to it remain") { trial in
            var author = try Author(trial.id(), "Ada").object
            var book = Book(trial.id(), "Letters")
            book.author = EntityID(author.id)
            let referring = try book.object
            try await trial.insert(author, referring)
            let stream = await trial.store.changes()
            for (old, new) in [(1, 9), (9, 2)] as [(Int64, Int64)] {
                author = try Author(EntityID(author.id), "Ada, \(new)").object
                author.version = new
                var replacing = ChangeSet(inserts: [author], deletes: [RootExpectation(author.key, version: 3)])
                replacing.keepsVersions = true
                try await conflict(of: "version 3") { [replacing] in try await trial.store.commit(replacing) }
                replacing.deletes = [RootExpectation(author.key, version: old)]
                _ = try await trial.store.commit(replacing)
                try await trial.expectStored(author, version: new)
                try await trial.expectStored(referring)
            }
            let heard = try await trial.heard(stream).map { $0.entries.map { "\($0.kind) \($0.version)" } }
            try expect("the received changes", heard, is: [["updated 9"], ["updated 2"]])
        }.tests("event.7", "set.12", "set.13"),
        Law(.commits, "A root cannot be restored without a version, or over an existing one") { trial in
            var author = try Author(trial.id(), "Ada").object
            for version in [0, -1, .max] as [Int64] {
                author.version = version
                var restoring = ChangeSet(inserts: [author])
                restoring.keepsVersions = true
                let error = try await failure(of: "version \(version)") { try await trial.store.commit(restoring) }
                guard case .invalid(let field) = error, field.field == "version" else {
                    throw LawBroken("version \(version) was not refused as invalid: \(error)")
                }
            }
            try await trial.insert(author)
            author.version = 3
            var restoring = ChangeSet(inserts: [author])
            restoring.keepsVersions = true
            try await duplicate(of: "a root that is stored") { try await trial.store.commit(restoring) }
            try await trial.expectStored(author, version: 1)
        }.tests("declared.3", "declared.6", "set.2"),
    ]

    static let restored: [Law] = [
        Law(.storeLife, "A restored root has its version after the store was reopened", needs: [.durable]) {
            trial in
            var author = try Author(trial.id(), "Ada").object
            author.version = 7
            var restoring = ChangeSet(inserts: [author])
            restoring.keepsVersions = true
            _ = try await trial.store.commit(restoring)
            try await trial.reopened { try await $0.expectStored(author, version: 7) }
        }.tests("commit.5", "set.11"),
        Law(.storeLife, "The outcome of a commit before the store was opened is not absent", needs: [.durable]) {
            trial in
            let changes = ChangeSet(inserts: [try Author(trial.id(), "Ada").object])
            _ = try await trial.store.commit(changes)
            try await trial.reopened { trial in
                let outcome = try await trial.store.outcome(of: changes.id)
                try expect(outcome != .absent, "a commit that is stored is said to be absent")
            }
        }.tests("outcome.4"),
    ]
}

extension Trial {
    fileprivate func expectOutcomes(_ expected: KeyValuePairs<ChangeSet, CommitOutcome>) async throws {
        for (changes, outcome) in expected {
            try expect("the outcome of a commit", try await store.outcome(of: changes.id), is: outcome)
        }
    }
}
