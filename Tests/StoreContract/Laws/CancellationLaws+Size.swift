internal import LarderData
internal import LarderDomain

extension CancellationLaws {
    static let size: [Law] = [
        Law(.cancellation, "A large commit that is cancelled is stored completely or not at all, as its result says") {
            trial in
            for count in [60, 320, 1_100] {
                // Before the commit can begin, at several times, and as soon as any of its changes is readable.
                for patience in [0, 1, 3, 10, 30, 100, Int.max, .max, .max] {
                    try await trial.cancelLargeCommits(of: count, after: patience)
                }
            }
        }.tests("commit.1", "commit.29", "commit.30"),
        Law(.cancellation, "A commit of any size that is cancelled before it begins stores nothing") { trial in
            let topic = Press.topic(trial.rawID(), "Topic")
            try await trial.insert(topic)
            var stored = [topic]
            for count in [1, 300, 1_100] {
                let (old, new) = (trial.topics(count, parent: topic), trial.topics(count, parent: topic))
                _ = try await trial.store.commit(ChangeSet(inserts: old))
                stored += old
                let updates = old.map { $0.update(to: $0.without(topic.id), expecting: 1) }
                let deletes = old.map { $0.deletion(expecting: 1) }
                let removals = [try topic.removal(from: Press.topic, "parent_id")]
                for changes in [
                    ChangeSet(inserts: new), ChangeSet(updates: updates), ChangeSet(deletes: deletes),
                    ChangeSet(removals: removals), ChangeSet(inserts: new, deletes: deletes, removals: removals),
                ] {
                    let store = trial.store
                    let error = try await failure(of: "a cancelled commit with \(count) roots") {
                        try await cancelled { try await store.commit(changes) }
                    }
                    guard case .cancelled = error else { throw LawBroken("unexpected error: \(error)") }
                    try expect("the outcome", try await store.outcome(of: changes.id), is: .absent)
                    let found = try await store.read(ReadRequest(Press.topic)).items
                    try expect(found == stored, "of \(stored.count) roots \(found.count) are stored, or others")
                    try expect("the versions", Set(found.map(\.version)), is: [1])
                }
            }
        }.tests("commit.28", "error.2", "outcome.1"),
    ]
}

extension Trial {
    fileprivate func topics(_ count: Int, parent: StorageObject) -> [StorageObject] {
        (0..<count).map { _ in
            let id = rawID()
            return Press.topic(id, "\(id)", parent: parent.id)
        }
    }

    /// Inserts, updates, and deletes many roots. Each commit is cancelled after the given number of reads of the store.
    fileprivate func cancelLargeCommits(of count: Int, after patience: Int) async throws {
        let objects = try (0..<count).map { _ in try Counter(id()).object }
        let changed = objects.map { object in
            var object = object
            object.values[0] = .integer(1)
            return object
        }
        let updates = zip(objects, changed).map { $0.update(to: $1, expecting: 1) }
        try await commit(ChangeSet(inserts: objects), [], objects, patience)
        try await commit(ChangeSet(updates: updates), objects, changed, patience)
        try await commit(ChangeSet(deletes: objects.map { $0.deletion(expecting: 2) }), changed, [], patience)
    }

    /// Cancels a running commit, then commits again unless the first attempt was stored. Fails the law unless reads in
    /// between return the state that the first attempt reported.
    private func commit(
        _ changes: ChangeSet, _ before: [StorageObject], _ after: [StorageObject], _ patience: Int
    ) async throws {
        let store = store
        let isDone = Flag()
        let ids = (before.isEmpty ? after : before).map(\.id)
        let ends = [ids[0], ids[ids.count / 2], ids[ids.count - 1]]
        let first = before.isEmpty ? [] : try await store.read(ends, of: CounterMapper.schema)
        let task = Task {
            defer { isDone.set() }
            return try await store.commit(changes)
        }
        var looks = 0
        while looks < patience, !isDone.isSet, !Task.isCancelled {
            let found = try await store.read(ends, of: CounterMapper.schema)
            if Set(found.map(\.values)) != Set(first.map(\.values)) || found.count != first.count { break }
            looks += 1
            await Task.yield()
        }
        task.cancel()
        let isStored: Bool
        do {
            _ = try await task.value
            isStored = true
        } catch PersistencyError.cancelled {
            isStored = false
        }
        let found = try await store.read(ids, of: CounterMapper.schema).sorted { $0.id < $1.id }
        let expected = isStored ? after : before
        try expect(
            found == expected,
            "a commit of \(ids.count) roots that \(isStored ? "succeeded" : "was cancelled") left \(found.count) of \(expected.count), or others"
        )
        guard !isStored else { return }
        _ = try await store.commit(changes)
        let again = try await store.read(ids, of: CounterMapper.schema).sorted { $0.id < $1.id }
        try expect(again == after, "after a cancelled commit of \(ids.count) roots, the same one left \(again.count)")
    }
}
