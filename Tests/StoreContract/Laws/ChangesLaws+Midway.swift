internal import LarderData
internal import LarderDomain

/// Observers that begin while a commit of thousands of roots runs.
extension ChangesLaws {
    static let midway: [Law] = [
        Law(.changes, "A commit of thousands of roots is received once, also by observers that begin during it") {
            trial in
            let members = (0..<2_000).map { Press.member(trial.rawID(), "Member \($0)") }
            let updates = members.map { $0.update(to: $0, expecting: 1) }
            for (changes, version) in [
                (ChangeSet(inserts: members), 1), (ChangeSet(updates: updates), 2),
                (ChangeSet(deletes: members.map { $0.deletion(expecting: 2) }), nil),
            ] as [(ChangeSet, Int64?)] {
                try await Midway(trial: trial, members: members, changes: changes, version: version).run()
            }
        }.tests("changes.1", "changes.2", "changes.3", "changes.7", "changes.15", "commit.2"),
        Law(.changes, "A commit of any size can be read by an observer that waited for it") { trial in
            let (store, stream) = (trial.store, await trial.store.changes())
            let (turns, turn) = AsyncStream.makeStream(of: Void.self)
            async let reading: Void = {
                defer { turn.finish() }
                for await event in stream {
                    guard case .commit(let commit) = event else {
                        throw LawBroken("there was a gap, and nothing was lost")
                    }
                    let (entries, count) = (commit.entries, commit.entries.count)
                    if entries.isEmpty { throw LawBroken("a commit was received without entries") }
                    let some = [entries[0], entries[count / 2], entries[count - 1]]
                    let versions = Dictionary(some.map { ($0.reference.id, $0.version) }) { first, _ in first }
                    let request = ReadRequest(Press.member, where: .isIn(.id, Set(versions.keys.map(Value.id))))
                    let byIDs = try await store.read(Array(versions.keys), of: Press.member)
                    for found in [byIDs, try await store.read(request).items] {
                        let read = Dictionary(found.map { ($0.id, $0.version) }) { first, _ in first }
                        try expect("the versions of a received commit of \(count) roots", read, is: versions)
                    }
                    turn.yield()
                }
            }()
            // Each commit follows the reads after the one before.
            var next = turns.makeAsyncIterator()
            rounds: for round in 0..<6 {
                let members = (0..<[300, 1, 600][round % 3]).map { _ in
                    let id = trial.rawID()
                    return Press.member(id, "\(id)")
                }
                let updates = members.map { $0.update(to: $0, expecting: 1) }
                for changes in [ChangeSet(inserts: members), ChangeSet(updates: updates)] {
                    _ = try await store.commit(changes)
                    if await next.next() == nil { break rounds }
                }
            }
            await store.close()
            try await reading
        }.tests("changes.2", "commit.2"),
    ]
}

/// A large commit, an observer that began before it and reads, and observers that begin while it runs.
private struct Midway: Sendable {
    private struct Observation {
        /// The token after which the stream starts; `nil` for the last commit.
        let start: ChangeToken?
        let stream: AsyncStream<ChangeEvent>
        /// Whether the store did not show the commit after the observer had begun.
        let isBefore: Bool
    }

    let trial: Trial
    let members: [StorageObject]
    let changes: ChangeSet
    /// The version of the members after the commit; `nil` if it deletes them.
    let version: Int64?

    func run() async throws {
        let (store, steady) = (trial.store, await trial.store.changes())
        let start = try await trial.insert(Press.topic(trial.rawID(), "\(trial.rawID())")).token
        let (hasBegun, isDone) = (Flag(), Flag())
        async let receipt = {
            defer { isDone.set() }
            hasBegun.set()
            return try await store.commit(changes)
        }()
        async let reading: Void = expectRead(at: steady, after: start)
        while !hasBegun.isSet, !Task.isCancelled { await Task.yield() }
        var observations: [Observation] = []
        repeat {
            for start in store.traits.capabilities.contains(.journal) ? [nil, start] : [nil] {
                let stream = await store.changes(after: start)
                let found = try await store.read(members[0].id, of: Press.member)?.version
                observations.append(Observation(start: start, stream: stream, isBefore: found != version))
            }
            // Ever more rarely, so that a slow commit has no thousands of observers.
            for _ in 0..<observations.count where !isDone.isSet { await Task.yield() }
        } while !isDone.isSet && !Task.isCancelled
        let token = try await receipt.token
        let end = try await trial.insert(Press.topic(trial.rawID(), "\(trial.rawID())")).token
        for observation in observations {
            var heard: [ChangeToken] = []
            for await event in observation.stream {
                guard case .commit(let commit) = event else { throw LawBroken("there was a gap, and nothing was lost") }
                if commit.token == token { try expect("the size", commit.entries.count, is: members.count) }
                heard.append(commit.token)
                if commit.token.position >= end.position { break }
            }
            let isLate = observation.start == nil && !observation.isBefore && heard.count == 1
            try expect("the received tokens", heard, is: isLate ? [end] : [token, end])
        }
        try await reading
    }

    /// Fails the law unless the commit can be read, in every way, when an observer receives it.
    private func expectRead(at stream: AsyncStream<ChangeEvent>, after start: ChangeToken) async throws {
        let (store, expected) = (trial.store, version.map { Array(repeating: $0, count: members.count) } ?? [])
        for await event in stream where event.token.position > start.position {
            let byIDs = try await store.read(members.map(\.id), of: Press.member).map(\.version)
            try expect(byIDs == expected, "of \(expected.count) received roots \(byIDs.count) were read, or others")
            let page = try await store.read(ReadRequest(Press.member, includesTotal: true))
            try expect(page.items.map(\.version) == expected, "a page has \(page.items.count) roots, or others")
            try expect("the total", page.total, is: expected.count)
            return
        }
        if !Task.isCancelled { throw LawBroken("a stream of an open store ended") }
    }
}
