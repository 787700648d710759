internal import LarderData
internal import LarderDomain

/// The ids and the order of live events, and observers that begin while commits run.
extension ChangesLaws {
    static let arrivals: [Law] = [
        Law(.changes, "A received commit has the id of its change set, whatever it contains") { trial in
            let stream = await trial.store.changes()
            let sent = try await trial.commitsOfEachKind()
            let heard = try await trial.heard(stream)
            try expect("the received ids", heard.map(\.id), is: sent.map(\.changes.id))
            try expect("the received tokens", heard.map(\.token), is: sent.map(\.token))
        }.tests("event.3", "changes.3", "event.6"),
        Law(.changes, "A replaced root is published as updated, whatever is inserted before and after it") { trial in
            let old = Press.member(trial.rawID(), "Old")
            try await trial.insert(old)
            let stream = await trial.store.changes()
            var (version, expected): (Int64, [[CommittedChange]]) = (1, [])
            for (before, after) in [(0, 1), (1, 0), (2, 2), (0, 0)] {
                let new = (0..<before + after).map { _ in
                    let id = trial.rawID()
                    return Press.member(id, "\(id)").at(version: 3)
                }
                let replaced = old.at(version: version + 5)
                var changes = ChangeSet(
                    inserts: new.prefix(before) + [replaced] + new.suffix(after),
                    deletes: [old.deletion(expecting: version)])
                changes.keepsVersions = true
                _ = try await trial.store.commit(changes)
                version += 5
                let update = CommittedChange(old.reference, kind: .updated, version: version)
                let inserted = new.map { CommittedChange($0.reference, kind: .inserted, version: 3) }
                expected.append(inserted.prefix(before) + [update] + inserted.suffix(after))
            }
            let heard = try await trial.heard(stream)
            try expect("the entries", heard.map(\.entries), is: expected)
        }.tests("event.4", "event.7", "event.8", "set.12"),
        Law(.changes, "Commits are received in the order of their tokens, whatever the versions of their roots") {
            trial in
            let (store, stream) = (trial.store, await trial.store.changes())
            let (one, other) = (Press.member(trial.rawID(), "One"), Press.member(trial.rawID(), "Other"))
            // The versions of both roots rise and fall, and their orders differ from that of the commits.
            let versions: [(StorageObject, Int64)] = [
                (one, 9), (other, 40), (one, 3), (other, 2), (one, 5), (other, 1),
            ]
            var (tokens, stored): ([ChangeToken], [RawID: Int64]) = ([], [:])
            for (root, version) in versions {
                var changes = ChangeSet(inserts: [root.at(version: version)])
                if let old = stored[root.id] { changes.deletes = [root.deletion(expecting: old)] }
                changes.keepsVersions = true
                tokens.append(try await store.commit(changes).token)
                let update = root.update(to: root, expecting: version)
                tokens.append(try await store.commit(ChangeSet(updates: [update])).token)
                stored[root.id] = version + 1
            }
            for root in [one, other] {
                // A new life of an id begins at version 1.
                let version = stored[root.id] ?? 0
                tokens.append(try await store.commit(ChangeSet(deletes: [root.deletion(expecting: version)])).token)
                tokens.append(try await store.commit(ChangeSet(inserts: [root])).token)
            }
            let positions = tokens.map(\.position)
            try expect("whether each token follows the one before", positions, is: Array(Set(positions)).sorted())
            let heard = try await trial.heard(stream)
            try expect("the received tokens", heard.map(\.token), is: tokens)
            let received = heard.compactMap(\.entries.first?.version)
            let expected: [Int64] = versions.flatMap { [$0.1, $0.1 + 1] } + [6, 1, 2, 1]
            try expect("the received versions", received, is: expected)
        }.tests("changes.1", "token.3", "event.8", "set.12"),
        Law(.changes, "An observer that begins during commits receives each commit after its position once") { trial in
            let scene = Arrivals(trial)
            try await scene.run()
        }.tests("changes.1", "changes.7", "changes.15", "event.1", "event.3"),
    ]
}

/// Tasks that commit, while observers begin: at the last commit, and after the token of a commit.
private struct Arrivals: Sendable {
    private struct Observation: Sendable {
        /// The token after which the stream starts; `nil` for the last commit.
        let start: ChangeToken?
        /// The position of a commit that was acknowledged before the observer began.
        let before: Int64
        /// The position of a commit that began after the observer.
        var next = Int64.max
        let stream: AsyncStream<ChangeEvent>
    }

    private let trial: Trial

    init(_ trial: Trial) { self.trial = trial }

    func run() async throws {
        let (store, trial) = (trial.store, trial)
        let hasJournal = store.traits.capabilities.contains(.journal)
        // No observer lags behind, so that a store without a journal does not drop commits.
        let writers = 4
        let rounds = max(1, min(12, store.traits.changeBuffer / (2 * writers)))
        let first = try await store.commit(ChangeSet(inserts: [Press.topic(trial.rawID(), "First")])).token
        var (sent, observations): ([ChangeToken: CommitID], [Observation]) = ([:], [])
        try await withThrowingTaskGroup(of: ([ChangeToken: CommitID], [Observation]).self) { group in
            for writer in 0..<writers {
                group.addTask {
                    var (sent, observations): ([ChangeToken: CommitID], [Observation]) = ([:], [])
                    var previous = first
                    for round in 0..<rounds {
                        let changes = ChangeSet(inserts: [Press.topic(trial.rawID(), "\(writer) \(round)")])
                        async let receipt = store.commit(changes)
                        // Begins while this commit and those of the others run.
                        let start = round % 2 == 0 ? nil : previous
                        let stream = await store.changes(after: start)
                        observations.append(Observation(start: start, before: previous.position, stream: stream))
                        previous = try await receipt.token
                        if round > 0 { observations[round - 1].next = previous.position }
                        sent[previous] = changes.id
                    }
                    return (sent, observations)
                }
            }
            while let (more, others) = try await group.next() {
                sent.merge(more) { one, _ in one }
                observations += others
            }
        }
        let last = ChangeSet(inserts: [Press.topic(trial.rawID(), "Last")])
        let end = try await store.commit(last).token
        sent[end] = last.id
        try expect("the number of tokens", sent.count, is: writers * rounds + 1)
        let all = sent.sorted { $0.key.position < $1.key.position }
        for observation in observations {
            var (heard, begin): ([CommittedChanges], Int64?) = ([], observation.start?.position)
            for await event in observation.stream {
                switch event {
                case .gap(let token):
                    let isFirst = heard.isEmpty && observation.start != nil && !hasJournal
                    try expect(isFirst, "there was a gap, and nothing was lost")
                    begin = token.position
                case .commit(let commit): heard.append(commit)
                }
                if event.token.position >= end.position { break }
            }
            let from = begin ?? heard.first.map { $0.token.position - 1 } ?? end.position
            let expected = all.filter { $0.key.position > from }
            try expect("the tokens after \(from)", heard.map(\.token), is: expected.map(\.key))
            try expect("the ids after \(from)", heard.map(\.id), is: expected.map(\.value))
            try expect(from >= observation.before, "a commit from before the start was received")
            try expect(from < min(observation.next, end.position), "a commit that began after the start is missing")
        }
    }
}

extension Trial {
    /// Commits that only insert, update, delete, replace, or remove references, and one that does several of these.
    func commitsOfEachKind() async throws -> [(changes: ChangeSet, token: ChangeToken)] {
        let topics = (0..<4).map { Press.topic(rawID(), "Topic \($0)") }
        let child = Press.topic(rawID(), "Child", parent: topics[0].id)
        let holder = Press.magazine(rawID(), "M", topics: [topics[0].id, topics[1].id])
        var orphan = child
        orphan.values[1] = .null
        var renamed = orphan
        renamed.values[0] = .text("Renamed")
        var replacing = ChangeSet(
            inserts: [topics[2].at(version: 5)], deletes: [topics[2].deletion(expecting: 1)])
        replacing.keepsVersions = true
        let all = [
            ChangeSet(inserts: topics + [child, holder]),
            ChangeSet(updates: [topics[3].update(to: topics[3], expecting: 1)]),
            ChangeSet(removals: [try topics[0].removal(from: Press.topic, "parent_id")]),
            ChangeSet(removals: [try topics[0].removal(from: Press.magazine, "topics")]),
            // The removal of a reference that no root has.
            ChangeSet(removals: [try topics[3].removal(from: Press.magazine, "topics")]),
            replacing,
            ChangeSet(deletes: [topics[0].deletion(expecting: 1)]),
            ChangeSet(
                inserts: [Press.topic(rawID(), "New")], updates: [orphan.update(to: renamed, expecting: 2)],
                deletes: [topics[1].deletion(expecting: 1), topics[2].deletion(expecting: 5)],
                removals: [try topics[1].removal(from: Press.magazine, "topics")]),
        ]
        var sent: [(ChangeSet, ChangeToken)] = []
        for changes in all { sent.append((changes, try await store.commit(changes).token)) }
        return sent
    }
}
