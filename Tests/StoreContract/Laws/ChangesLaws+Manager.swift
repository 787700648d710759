internal import LarderData
internal import LarderDomain

/// Changes and outcomes as managers return them.
extension ChangesLaws {
    static let manager: [Law] = [
        Law(.changes, "A manager's changes are those of the store after a position, by any writer, in order") { trial in
            let (counter, other) = (Counter(trial.id()), try Library.manager(over: trial.store))
            try await trial.manager.create(counter)
            let latest = try await trial.store.commit(ChangeSet()).token
            let streams = [try await trial.manager.changes(), try await trial.manager.changes(after: latest)]
            // Nobody reads the streams meanwhile.
            for number in 1...40 {
                try await [trial.manager, other][number % 2].save(Counter(counter.id, number))
            }
            try await trial.manager.transaction { manager in
                let error = try await failure(of: "a stream in a transaction") { try await manager.changes() }
                guard case .unsupportedQuery = error else { throw LawBroken("unexpected error: \(error)") }
            }
            await trial.store.close()
            for stream in streams {
                var versions: [Int64] = []
                for await event in stream {
                    guard case .commit(let commit) = event else { throw LawBroken("there was a gap") }
                    versions += commit.entries.map(\.version)
                }
                try expect("the received versions", versions, is: Array(2...41))
            }
        }.tests("follow.1", "follow.3", "follow.5", "follow.6", "follow.7"),
        Law(
            .changes, "A manager's changes start after any token of a journal, also from before the store was opened",
            needs: [.journal, .durable]
        ) { trial in
            let start = try await trial.store.commit(ChangeSet()).token
            let ids = trial.ids(3, Counter.self)
            for id in ids { try await trial.manager.create(Counter(id)) }
            try await trial.reopened { again in
                var heard: [EntityID<Counter>?] = []
                for await event in try await again.manager.changes(after: start) {
                    guard case .commit(let commit) = event else { throw LawBroken("there was a gap") }
                    heard += commit.entries.map { $0.id(of: Counter.self) }
                    if heard.count >= ids.count { break }
                }
                try expect("the received ids", heard, is: ids)
            }
        }.tests("follow.2"),
        Law(.changes, "A manager's stream of changes ends with the task that reads it") { trial in
            let stream = try await trial.manager.changes()
            let (began, begin) = AsyncStream.makeStream(of: Void.self)
            let reader = Task { for await _ in stream { begin.yield() } }
            try await trial.manager.create(Counter(trial.id()))
            for await _ in began { break }
            reader.cancel()
            await reader.value
            try await trial.manager.create(Counter(trial.id()))
        }.tests("follow.4"),
        Law(.commits, "A manager knows the outcomes of its commits") { trial in
            let (store, manager) = try trial.recording()
            let author = Author(trial.id(), "Ada")
            try await manager.create(author)
            try await duplicate(of: "a taken name") { try await manager.create(Author(trial.id(), "Ada")) }
            var outcomes: [CommitOutcome] = []
            for commit in store.commits { outcomes.append(try await manager.outcome(of: commit.id)) }
            try expect("the outcomes", outcomes, is: [.stored, .absent])
        }.tests("doubt.1"),
    ]
}
