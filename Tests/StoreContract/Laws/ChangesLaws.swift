internal import LarderData
internal import LarderDomain

enum ChangesLaws {
    static let all: [Law] = [
        Law(.changes, "An observer gets each commit once, with the token of its receipt") { trial in
            let stream = await trial.store.changes()
            var tokens: [ChangeToken] = []
            for name in ["Ada", "Bea", "Cleo"] {
                tokens.append(try await trial.insert(try Author(trial.id(), name).object).token)
            }
            try expect("the number of different tokens", Set(tokens).count, is: 3)
            try expect("the received tokens", try await trial.heard(stream).map(\.token), is: tokens)
        }.tests("changes.1", "receipt.1", "token.3"),
        Law(.changes, "An observer receives the inserted, updated and deleted roots, with their versions") { trial in
            let (ada, bea, new) = (
                try Author(trial.id(), "Ada").object, try Author(trial.id(), "Bea").object,
                try Author(trial.id(), "Cleo").object
            )
            try await trial.insert(ada, bea)
            let stream = await trial.store.changes()
            let changes = ChangeSet(
                inserts: [new], updates: [ada.update(to: ada, expecting: 1)], deletes: [bea.deletion(expecting: 1)])
            _ = try await trial.store.commit(changes)
            let expected = [
                CommittedChange(new.reference, kind: .inserted, version: 1),
                CommittedChange(ada.reference, kind: .updated, version: 2),
                CommittedChange(bea.reference, kind: .deleted, version: 1),
            ]
            try expect("the received changes", try await trial.heard(stream).map(\.entries), is: [expected])
        }.tests("event.4", "event.8"),
        Law(.changes, "A commit that failed or wrote nothing is not published") { trial in
            let author = try Author(trial.id(), "Ada").object
            try await trial.insert(author)
            let stream = await trial.store.changes()
            try await duplicate(of: "a taken name") { try await trial.insert(try Author(trial.id(), "Ada").object) }
            try await conflict(of: "a stale version") {
                try await trial.store.commit(ChangeSet(deletes: [author.deletion(expecting: 9)]))
            }
            _ = try await trial.store.commit(ChangeSet())
            try expect("the received changes", try await trial.heard(stream), is: [])
        }.tests("changes.4"),
        Law(.changes, "An observer receives no commit from before its start") { trial in
            try await trial.insert(try Author(trial.id(), "Ada").object)
            let stream = await trial.store.changes()
            let last = try await trial.insert(try Author(trial.id(), "Bea").object)
            try expect("the received tokens", try await trial.heard(stream).map(\.token), is: [last.token])
        }.tests("changes.15"),
        Law(.changes, "All observers receive the same commits") { trial in
            let streams = [await trial.store.changes(), await trial.store.changes(), await trial.store.changes()]
            for name in ["Ada", "Bea"] { try await trial.insert(try Author(trial.id(), name).object) }
            await trial.store.close()
            for stream in streams {
                let heard = try await stream.commits()
                try expect("the number of received commits", heard.count, is: 2)
            }
        }.tests("changes.1"),
        Law(.changes, "An observer that ends affects neither the store nor the others") { trial in
            let staying = await trial.store.changes()
            do {
                let leaving = await trial.store.changes()
                try await trial.insert(try Author(trial.id(), "Ada").object)
                for await _ in leaving { break }
            }
            try await trial.insert(try Author(trial.id(), "Bea").object)
            try expect("the number of received commits", try await trial.heard(staying).count, is: 2)
        }.tests("changes.13"),
        Law(.changes, "A received change can be read") { trial in
            let counter = try Counter(trial.id()).object
            try await trial.insert(counter)
            let stream = await trial.store.changes()
            let store = trial.store
            let observer = Task {
                var seen: [(heard: Int64, read: Int64)] = []
                for await case .commit(let commit) in stream {
                    let read = try await store.read(counter.id, of: counter.schema)?.version ?? 0
                    seen.append((commit.entries.first?.version ?? .max, read))
                    if seen.count == 20 { break }
                }
                return seen
            }
            for version in 1...20 as ClosedRange<Int64> {
                _ = try await store.commit(ChangeSet(updates: [counter.update(to: counter, expecting: version)]))
            }
            let seen = try await withTaskCancellationHandler {
                try await observer.value
            } onCancel: {
                observer.cancel()
            }
            try expect("the number of received commits", seen.count, is: 20)
            for (heard, read) in seen {
                try expect(read >= heard, "version \(heard) was heard of and \(read) could be read")
            }
        }.tests("changes.2"),
        Law(.changes, "Two readers of one stream share its commits, and both end with it") { trial in
            let (store, stream) = (trial.store, await trial.store.changes())
            let readers = (0..<2).map { _ in Task { await stream.reduce(into: [ChangeEvent]()) { $0.append($1) } } }
            let tokens = try await withTaskCancellationHandler {
                var tokens: [ChangeToken] = []
                for _ in 0..<40 {
                    // Both readers wait most of the time.
                    for _ in 0..<20 { await Task.yield() }
                    tokens.append(try await store.commit(ChangeSet(inserts: [try Counter(trial.id()).object])).token)
                }
                await store.close()
                return tokens
            } onCancel: {
                for reader in readers { reader.cancel() }
            }
            var heard: [ChangeToken] = []
            for reader in readers {
                for case .commit(let commit) in await reader.value { heard.append(commit.token) }
            }
            try expect("the received tokens", heard.sorted { $0.position < $1.position }, is: tokens)
        }.tests("changes.14", "token.3"),
        Law(.changes, "Commits of many tasks are received in their order") { trial in
            let stream = await trial.store.changes()
            let objects = try (0..<8).map { _ in try Counter(trial.id()).object }
            let store = trial.store
            try await withThrowingTaskGroup { group in
                for object in objects {
                    group.addTask {
                        _ = try await store.commit(ChangeSet(inserts: [object]))
                        for version in 1...5 as ClosedRange<Int64> {
                            let update = object.update(to: object, expecting: version)
                            _ = try await store.commit(ChangeSet(updates: [update]))
                        }
                    }
                }
                try await group.waitForAll()
            }
            let heard = try await trial.heard(stream)
            try expect("the number of received commits", heard.count, is: 48)
            for object in objects {
                let versions = heard.flatMap(\.entries).filter { $0.reference == object.reference }.map(\.version)
                try expect("the versions of one root", versions, is: Array(1...6))
            }
        }.tests("changes.1", "event.8", "hub.1"),
        Law(.changes, "An observer that falls behind reads the journal, or gets a gap in place of the oldest commits") {
            trial in
            let stream = await trial.store.changes()
            let (store, buffer) = (trial.store, trial.store.traits.changeBuffer)
            var tokens: [ChangeToken] = []
            for id in trial.ids(buffer + 10, Counter.self) {
                tokens.append(try await store.commit(ChangeSet(inserts: [try Counter(id).object])).token)
            }
            if store.traits.capabilities.contains(.journal) {
                var heard: [ChangeEvent] = []
                for await change in stream {
                    heard.append(change)
                    if heard.count == tokens.count { await store.close() }
                }
                try expect("the received tokens", heard.commitTokens, is: tokens)
            } else {
                await store.close()
                let heard = await stream.reduce(into: []) { $0.append($1) }
                try expect("the first element", heard.first, is: .gap(tokens[9]))
                try expect("the number of elements", heard.count, is: buffer + 1)
                try expect("the received tokens", heard.commitTokens, is: Array(tokens.suffix(buffer)))
            }
        }.tests("changes.11", "changes.12", "event.1"),
        Law(
            .changes,
            "Changes after the last commit continue without a gap, as do those after an earlier one in a journal"
        ) {
            trial in
            let earlier = try await trial.insert(try Author(trial.id(), "Ada").object).token
            let last = try await trial.insert(try Author(trial.id(), "Bea").object).token
            let streams = [await trial.store.changes(after: last), await trial.store.changes(after: earlier)]
            let next = try await trial.insert(try Author(trial.id(), "Cleo").object).token
            var heard: [ChangeEvent] = []
            for await change in streams[1].prefix(2) { heard.append(change) }
            await trial.store.close()
            try expect("the changes after the last token", try await streams[0].commits().map(\.token), is: [next])
            if trial.store.traits.capabilities.contains(.journal) {
                try expect("the tokens after an earlier one", heard.commitTokens, is: [last, next])
            } else {
                try expect("the first element after an earlier one", heard.first, is: .gap(last))
                try expect("the token after it", heard.last?.token, is: next)
            }
        }.tests("changes.1", "changes.7", "changes.10", "event.2"),
        Law(.changes, "A token of another lifetime of the store is followed by a gap") { trial in
            let token = try await trial.insert(try Author(trial.id(), "Ada").object).token
            let other = ChangeToken(lifetime: token.lifetime &+ 1, position: token.position)
            let stream = await trial.store.changes(after: other)
            await trial.store.close()
            try expect("the received changes", await stream.reduce(into: []) { $0.append($1) }, is: [.gap(token)])
        }.tests("changes.16"),
    ]
}

extension Trial {
    /// Closes the store and returns all commits that an observer received. Fails the law at a gap.
    func heard(_ stream: AsyncStream<ChangeEvent>) async throws -> [CommittedChanges] {
        await store.close()
        return try await stream.commits()
    }
}

extension [ChangeEvent] {
    /// The tokens of the commits, without gaps.
    var commitTokens: [ChangeToken] { compactMap { if case .commit(let commit) = $0 { commit.token } else { nil } } }
}

extension AsyncStream<ChangeEvent> {
    /// All commits until the stream ends. Fails the law at a gap.
    func commits() async throws -> [CommittedChanges] {
        var commits: [CommittedChanges] = []
        for await change in self {
            guard case .commit(let commit) = change else { throw LawBroken("there was a gap, and nothing was lost") }
            commits.append(commit)
        }
        return commits
    }
}
