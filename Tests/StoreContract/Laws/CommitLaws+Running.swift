internal import LarderData
internal import LarderDomain

/// The outcomes of commits of each kind, and of commits that run.
extension CommitLaws {
    static let running: [Law] = [
        Law(.commits, "The outcome of a commit that only updates, deletes or removes references is known") { trial in
            let sent = try await trial.commitsOfEachKind()
            for (changes, _) in sent {
                try expect("the outcome of a commit", try await trial.store.outcome(of: changes.id), is: .stored)
            }
            let (topic, gone) = (Press.topic(trial.rawID(), "There"), Press.topic(trial.rawID(), "Gone"))
            try await trial.insert(topic)
            let refused = [
                ChangeSet(deletes: [gone.deletion(expecting: 1)]), ChangeSet(deletes: [topic.deletion(expecting: 7)]),
                ChangeSet(updates: [topic.update(to: topic, expecting: 7)]),
                ChangeSet(
                    reads: [topic.deletion(expecting: 7)], removals: [try topic.removal(from: Press.topic, "parent_id")]
                ),
            ]
            for changes in refused {
                try await conflict(of: "a stale version") { try await trial.store.commit(changes) }
                try expect("the outcome of a refusal", try await trial.store.outcome(of: changes.id), is: .absent)
            }
            // The same change set with another id is another commit.
            let again = ChangeSet(deletes: [topic.deletion(expecting: 1)])
            _ = try await trial.store.commit(again)
            try expect("the outcome of a deletion", try await trial.store.outcome(of: again.id), is: .stored)
            try expect("the refused one", try await trial.store.outcome(of: refused[1].id), is: .absent)
        }.tests("outcome.1", "outcome.5", "outcome.6"),
        Law(.commits, "The outcome of a running commit is not absent if the commit is then stored") { trial in
            let store = trial.store
            for count in [1, 40, 400] {
                let topics = (0..<count).map { Press.topic(trial.rawID(), "\(count) \($0)") }
                let target = Press.topic(trial.rawID(), "Target \(count)")
                let children = (0..<count).map { Press.topic(trial.rawID(), "C \(count) \($0)", parent: target.id) }
                let changeSets = [
                    ChangeSet(inserts: topics + [target] + children),
                    ChangeSet(updates: topics.map { $0.update(to: $0, expecting: 1) }),
                    ChangeSet(removals: [try target.removal(from: Press.topic, "parent_id")]),
                    ChangeSet(deletes: topics.map { $0.deletion(expecting: 2) } + [target.deletion(expecting: 1)]),
                ]
                for changes in changeSets {
                    let isDone = Flag()
                    async let receipt = {
                        defer { isDone.set() }
                        return try await store.commit(changes)
                    }()
                    var seen: [CommitOutcome] = []
                    repeat {
                        let outcome = try await store.outcome(of: changes.id)
                        if seen.last != outcome { seen.append(outcome) }
                        await Task.yield()
                    } while !isDone.isSet && !Task.isCancelled
                    _ = try await receipt
                    seen.append(try await store.outcome(of: changes.id))
                    try expect(!seen.contains(.absent), "the outcomes of a stored commit were \(seen)")
                    let isKnown = seen.drop { $0 == .unknown }.allSatisfy { $0 == .stored }
                    try expect(isKnown && seen.last == .stored, "the outcomes of a stored commit were \(seen)")
                }
            }
        }.tests("outcome.7", "outcome.6"),
    ]
}
