internal import LarderData
internal import LarderDomain

extension ChangesLaws {
    static let stream: [Law] = [
        Law(.changes, "A change set that is refused, cancelled or empty has no token and leaves no gap") { trial in
            let (store, stream) = (trial.store, await trial.store.changes())
            let ada = Press.member(trial.rawID(), "Ada")
            var tokens = [try await store.commit(ChangeSet(inserts: [ada])).token]
            for round in 0..<5 {
                let new = Press.member(trial.rawID(), "New \(round)")
                let refused = [
                    ChangeSet(inserts: [new, Press.member(trial.rawID(), "Ada")]),
                    ChangeSet(inserts: [new], deletes: [ada.deletion(expecting: 9)]), ChangeSet(inserts: [ada]),
                    ChangeSet(inserts: [Press.topic(trial.rawID(), "loose", parent: trial.rawID())]),
                    ChangeSet(deletes: [RootExpectation(ada.key, version: nil)]),
                ]
                for changes in refused { _ = try await failure(of: "a fault") { try await store.commit(changes) } }
                _ = try? await Task {
                    unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                    _ = try await store.commit(ChangeSet(inserts: [new]))
                }.value
                for empty in [ChangeSet(), ChangeSet(reads: [RootExpectation(ada.key, version: 1)])] {
                    try expect("the token of nothing", try await store.commit(empty).token, is: tokens.last)
                }
                tokens.append(try await store.commit(ChangeSet(inserts: [new])).token)
                tokens.append(try await store.commit(ChangeSet(deletes: [new.deletion(expecting: 1)])).token)
            }
            try expect("the received tokens", try await trial.heard(stream).map(\.token), is: tokens)
        }.tests("changes.4", "receipt.1", "receipt.2"),
        Law(.changes, "An observer receives the owners of inserted, updated, moved and deleted roots") { trial in
            let owners = (0..<2).map { Press.member(trial.rawID(), "Owner \($0)") }
            try await trial.insert(owners[0], owners[1])
            let stream = await trial.store.changes()
            let magazine = Press.magazine(trial.rawID(), "M", owner: owners[0].id)
            let ownerless = Press.magazine(trial.rawID(), "N")
            var (renamed, handed) = (magazine, magazine)
            renamed.values[0] = .text("renamed")
            (handed.values[0], handed.values[4]) = (.text("renamed"), .id(owners[1].id))
            func update(_ old: StorageObject, _ new: StorageObject, _ version: Int64, _ owner: RawID) -> ChangeSet {
                let changes = ObjectChanges(from: old, to: new)
                return ChangeSet(updates: [RootUpdate(old.key, expected: version, changes: changes, owner: owner)])
            }
            let changeSets = [
                ChangeSet(inserts: [magazine, ownerless]), update(magazine, renamed, 1, owners[0].id),
                update(renamed, handed, 2, owners[1].id),
                // An update of owned objects only, and an update without changes.
                update(handed, handed.with(Press.article(trial.rawID(), "a")), 3, owners[1].id),
                update(handed, handed, 4, owners[1].id),
                ChangeSet(deletes: [RootExpectation(magazine.key, version: 5, owner: owners[1].id)]),
                ChangeSet(deletes: [RootExpectation(ownerless.key, version: 1)]),
            ]
            for changes in changeSets { _ = try await trial.store.commit(changes) }
            let heard = try await trial.heard(stream).map(\.entries)
            try expect("the received changes", heard, is: changeSets.map(ReferenceState.entries))
        }.tests("event.8", "event.9", "set.14", "set.16"),
        Law(.changes, "Received changes are visible to reads by ids and by condition") { trial in
            let (store, stream) = (trial.store, await trial.store.changes())
            let objects = (0..<40).map { Press.member(trial.rawID(), "Member \($0)") }
            let changeSets = [
                ChangeSet(inserts: objects), ChangeSet(updates: objects.map { $0.update(to: $0, expecting: 1) }),
                ChangeSet(deletes: objects.map { $0.deletion(expecting: 2) }),
            ]
            let (heard, hear) = AsyncStream.makeStream(of: Void.self)
            try await withThrowingTaskGroup { group in
                group.addTask {
                    for await case .commit(let commit) in stream {
                        let versions = commit.entries.filter { $0.kind != .deleted }.map(\.version)
                        let byIDs = try await store.read(objects.map(\.id), of: Press.member)
                        let byCondition = try await store.read(ReadRequest(Press.member)).items
                        for found in [byIDs, byCondition] {
                            try expect("the versions that can be read", found.map(\.version), is: versions)
                        }
                        hear.yield()
                    }
                }
                group.addTask {
                    // Each commit waits until the observer has received the preceding one, so that nothing else can
                    // have been read.
                    var heard = heard.makeAsyncIterator()
                    for changes in (0..<30).flatMap({ _ in changeSets }) {
                        _ = try await store.commit(changes)
                        guard await heard.next() != nil else { return }
                    }
                    await store.close()
                }
                while try await group.next() != nil {}
            }
        }.tests("changes.2"),
        Law(.changes, "Each stored commit of many tasks is received once, complete, and without a gap") {
            trial in
            let (store, streams) = (trial.store, [await trial.store.changes(), await trial.store.changes()])
            let taken = Press.member(trial.rawID(), "taken")
            let first = try await store.commit(ChangeSet(inserts: [taken])).token
            let ids = (0..<12).map { _ in (0..<4).map { _ in trial.rawID() } }
            let told = try await withThrowingTaskGroup(of: [ChangeToken: [CommittedChange]].self) { group in
                for ids in ids {
                    group.addTask {
                        var told: [ChangeToken: [CommittedChange]] = [:]
                        let new = ids.map { Press.member($0, "\($0)") }
                        let thief = Press.member(ids[0], "taken")
                        for changes in [
                            ChangeSet(inserts: new), ChangeSet(updates: new.map { $0.update(to: $0, expecting: 1) }),
                            ChangeSet(inserts: [thief]), ChangeSet(deletes: new.map { $0.deletion(expecting: 2) }),
                        ] {
                            guard let token = try? await store.commit(changes).token else { continue }
                            told[token] = ReferenceState.entries(of: changes)
                        }
                        return told
                    }
                }
                return try await group.reduce(into: [:]) { $0.merge($1) { one, _ in one } }
            }
            await store.close()
            try expect("the number of stored commits", told.count, is: 36)
            for stream in streams {
                let heard = try await stream.commits()
                try expect("the first token", heard.first?.token, is: first)
                try expect("the number of received commits", heard.count, is: 37)
                for commit in heard.dropFirst() {
                    try expect("the received changes of a commit", commit.entries, is: told[commit.token])
                }
            }
        }.tests("changes.3", "event.4", "event.8", "receipt.1"),
    ]
}

extension StorageObject {
    /// The magazine with one article in place of its articles.
    fileprivate func with(_ article: StorageObject) -> StorageObject {
        var object = self
        object.children[0] = [article]
        return object
    }
}
