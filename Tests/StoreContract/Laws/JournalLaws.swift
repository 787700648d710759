internal import LarderData
internal import LarderDomain

/// Streams that continue after a token, from a store's journal.
enum JournalLaws {
    static let all: [Law] = [
        Law(
            .changes, "A reader that reconnects after every few commits gets each commit once, in order",
            needs: [.journal]
        ) {
            trial in
            let start = try await trial.store.commit(ChangeSet()).token
            async let following = trial.follow(after: start, until: 400, reconnectingEvery: 7)
            let written = try await trial.writeConcurrently(commits: 400)
            let heard = try await following
            try expect("the received tokens", heard.map(\.token), is: written.keys.sorted { $0.position < $1.position })
            for commit in heard {
                try expect("the entries of a commit", commit.entries, is: written[commit.token]?.entries)
                try expect("the id of a commit", commit.id, is: written[commit.token]?.id)
            }
        }.tests("changes.7", "event.2", "event.3"),
        Law(
            .changes, "A reader that is hundreds of commits behind gets all of them in order, and then the next ones",
            needs: [.journal]
        ) { trial in
            let start = try await trial.store.commit(ChangeSet()).token
            var expected = try await trial.writeConcurrently(commits: 320).values
                .sorted { $0.token.position < $1.token.position }
            expected += try await trial.writeOwned()
            let stream = await trial.store.changes(after: start)
            // Some of the next commits are made before the reader begins, and the others after it has begun.
            expected += try await trial.writeOwned()
            var heard = try await stream.commits(300)
            expected += try await trial.writeOwned()
            heard += try await stream.commits(expected.count - heard.count)
            try expect("the received tokens", heard.map(\.token), is: expected.map(\.token))
            for (commit, sent) in zip(heard, expected) where commit != sent {
                try expect("the entries of a commit", commit.entries, is: sent.entries)
                try expect("a commit", commit, is: sent)
            }
        }.tests("changes.1", "changes.7", "event.3", "event.4", "event.6", "event.9", "set.14", "set.16"),
        Law(.changes, "A token is followed by the commits from before a reopening", needs: [.journal, .durable]) {
            trial in
            let topic = Press.topic(trial.rawID(), "Gone")
            let owner = Press.member(trial.rawID(), "Owner")
            let others = (0..<3).map { Press.topic(trial.rawID(), "Topic \($0)") }
            let holder = Press.magazine(trial.rawID(), "M", owner: owner.id, topics: [topic.id])
            let start = try await trial.store.commit(ChangeSet(inserts: [topic, owner])).token
            let changeSets = [
                ChangeSet(inserts: [holder] + others.reversed()),
                ChangeSet(updates: [
                    RootUpdate(holder.key, expected: 1, changes: ObjectChanges(), owner: owner.id)
                ]),
                ChangeSet(
                    deletes: [topic.deletion(expecting: 1)],
                    removals: [try topic.removal(from: Press.magazine, "topics")]),
                ChangeSet(deletes: [RootExpectation(holder.key, version: 3, owner: owner.id)]),
            ]
            var expected: [CommittedChanges] = []
            for changes in changeSets {
                expected.append(CommittedChanges(token: try await trial.store.commit(changes).token, of: changes))
            }
            try await trial.killed("kill") { again in
                let stream = await again.store.changes(after: start)
                try expect("the changes after a kill", try await stream.commits(expected.count), is: expected)
            }
            try await trial.reopened { again in
                let next = ChangeSet(inserts: [Press.topic(trial.rawID(), "next")])
                let stream = await again.store.changes(after: start)
                let last = CommittedChanges(token: try await again.store.commit(next).token, of: next)
                let positions = expected.map(\.token.position)
                try expect("a later position", last.token.position > positions.max() ?? 0, is: true)
                if again.store.traits.capabilities.contains(.soleWriter) {
                    let consecutive = Array(start.position + 1...start.position + Int64(expected.count) + 1)
                    try expect("the positions", positions + [last.token.position], is: consecutive)
                }
                let heard = try await stream.commits(expected.count + 1)
                try expect("the following changes", heard, is: expected + [last])
            }
        }.tests("changes.5", "event.3", "event.6", "event.9", "hub.2", "token.1"),
        Law(.changes, "The outcome of a commit before the store was opened is known", needs: [.journal, .durable]) {
            trial in
            // The ids name milliseconds. The journal must be older than the first one, and the last older than the opening.
            try await Task.sleep(for: .milliseconds(2))
            let stored = ChangeSet(inserts: [Press.topic(trial.rawID(), "a")])
            _ = try await trial.store.commit(stored)
            let refused = ChangeSet(inserts: stored.inserts)
            _ = try await failure(of: "a taken id") { try await trial.store.commit(refused) }
            let later = ChangeSet(inserts: [Press.topic(trial.rawID(), "b")])
            _ = try await trial.store.commit(later)
            try await Task.sleep(for: .milliseconds(2))
            try await trial.reopened { again in
                try expect("a stored commit", try await again.store.outcome(of: stored.id), is: .stored)
                try expect("a later commit", try await again.store.outcome(of: later.id), is: .stored)
                try expect("a refused commit", try await again.store.outcome(of: refused.id), is: .absent)
                try expect("a new id", try await again.store.outcome(of: CommitID()), is: .unknown)
            }
        }.tests("outcome.2", "outcome.3", "outcome.4"),
        Law(.changes, "A token of a later commit than the last is followed by a gap", needs: [.journal]) { trial in
            let token = try await trial.insert(Press.topic(trial.rawID(), "a")).token
            let later = ChangeToken(lifetime: token.lifetime, position: token.position + 5)
            let stream = await trial.store.changes(after: later)
            await trial.store.close()
            try expect("the received changes", await stream.reduce(into: []) { $0.append($1) }, is: [.gap(token)])
        }.tests("changes.17"),
    ]
}

extension AsyncStream<ChangeEvent> {
    /// The next commits, and a failure of the law at a gap.
    fileprivate func commits(_ count: Int) async throws -> [CommittedChanges] {
        var commits: [CommittedChanges] = []
        for await change in self.prefix(count) {
            guard case .commit(let commit) = change else { throw LawBroken("there was a gap, and nothing was lost") }
            commits.append(commit)
        }
        return commits
    }
}

extension Trial {
    /// Commits that insert, update and delete roots with an owner, each kind in another order than that of the ids.
    fileprivate func writeOwned() async throws -> [CommittedChanges] {
        let owners = (0..<2).map { Press.member(rawID(), "Owner \($0) \(rawID())") }
        let magazines = (0..<4).map { Press.magazine(rawID(), "\(rawID())", owner: owners[$0 % 2].id) }
        let gone = Press.topic(rawID(), "\(rawID())")
        func update(_ root: StorageObject) -> RootUpdate {
            RootUpdate(root.key, expected: 1, changes: ObjectChanges(), owner: root.owner)
        }
        func deletion(_ root: StorageObject, _ version: Int64) -> RootExpectation {
            RootExpectation(root.key, version: version, owner: root.owner)
        }
        var sent: [CommittedChanges] = []
        for changes in [
            ChangeSet(inserts: [magazines[2], owners[1], magazines[0], gone, owners[0], magazines[3], magazines[1]]),
            ChangeSet(
                inserts: [Press.topic(rawID(), "\(rawID())")], updates: [update(magazines[3]), update(magazines[0])],
                deletes: [deletion(magazines[2], 1), deletion(gone, 1), deletion(magazines[1], 1)],
                removals: [
                    try gone.removal(from: Press.topic, "parent_id"), try gone.removal(from: Press.magazine, "topics"),
                ]),
            ChangeSet(deletes: [deletion(magazines[3], 2), deletion(magazines[0], 2)]),
        ] {
            sent.append(CommittedChanges(token: try await store.commit(changes).token, of: changes))
        }
        return sent
    }

    /// Commits from eight tasks: inserts, updates and deletes of their own topics.
    fileprivate func writeConcurrently(commits: Int) async throws -> [ChangeToken: CommittedChanges] {
        let (store, ids) = (self.store, (0..<8).map { _ in (0..<commits / 8).map { _ in rawID() } })
        return try await withThrowingTaskGroup(of: [ChangeToken: CommittedChanges].self) { group in
            for ids in ids {
                group.addTask {
                    var written: [ChangeToken: CommittedChanges] = [:]
                    for (number, id) in ids.enumerated() {
                        let new = Press.topic(id, "\(id)")
                        var changes = ChangeSet(inserts: [new])
                        if number % 3 > 0 {
                            let old = Press.topic(ids[number - 1], "\(ids[number - 1])")
                            if number % 3 == 1 { changes.updates = [old.update(to: old, expecting: 1)] }
                            if number % 3 == 2 { changes.deletes = [old.deletion(expecting: 1)] }
                        }
                        let token = try await store.commit(changes).token
                        written[token] = CommittedChanges(token: token, of: changes)
                    }
                    return written
                }
            }
            return try await group.reduce(into: [:]) { $0.merge($1) { one, _ in one } }
        }
    }

    /// Follows commits, and reconnects with the token of the last one after each few.
    fileprivate func follow(
        after start: ChangeToken, until count: Int, reconnectingEvery step: Int
    ) async throws -> [CommittedChanges] {
        var heard: [CommittedChanges] = []
        while heard.count < count {
            let stream = await store.changes(after: heard.last?.token ?? start)
            let next = try await stream.commits(min(step, count - heard.count))
            if next.isEmpty { throw LawBroken("a stream of an open store ended after \(heard.count) commits") }
            heard += next
        }
        return heard
    }
}
