internal import LarderData
internal import LarderDomain

enum CancellationLaws {
    static let all: [Law] = [
        Law(.cancellation, "A commit that is cancelled before it begins stores nothing, and throws cancelled") {
            trial in
            let author = try Author(trial.id(), "Ada").object
            let store = trial.store
            let error = try await failure(of: "a cancelled commit") {
                try await cancelled { try await store.commit(ChangeSet(inserts: [author])) }
            }
            guard case .cancelled = error else { throw LawBroken("unexpected error: \(error)") }
            try await trial.expectAbsent(author)
        }.tests("commit.28", "error.2"),
        Law(.cancellation, "A manager's change that is cancelled before it begins stores nothing") { trial in
            let kept = Author(trial.id(), "Ada")
            try await trial.manager.create(kept)
            let (manager, new) = (trial.manager, Author(trial.id(), "Bea"))
            let changes: [@Sendable () async throws -> Void] = [
                { _ = try await manager.create(new) },
                { _ = try await manager.save(Author(kept.id, "Ada the elder")) },
                { _ = try await manager.update(Author(kept.id, "Ada the elder"), expecting: 1) },
                { try await manager.delete(kept.id) },
                { _ = try await manager.transaction { try await $0.create(new) } },
            ]
            for change in changes {
                let error = try await failure(of: "a cancelled change") { try await cancelled(change) }
                guard case .cancelled = error else { throw LawBroken("unexpected error: \(error)") }
            }
            try await trial.expectStored(kept, version: 1)
            try await trial.expectAbsent(new.id)
        }.tests("error.1", "error.2"),
        Law(.cancellation, "A store is usable after a cancelled commit, and the same change set can be committed") {
            trial in
            let author = try Author(trial.id(), "Ada").object
            let store = trial.store
            for _ in 0..<20 {
                _ = try? await cancelled { try await store.commit(ChangeSet(inserts: [author])) }
            }
            try await trial.insert(author)
            try await trial.expectStored(author)
        }.tests("commit.28", "store.8"),
        Law(.cancellation, "A store is usable after a cancelled read") { trial in
            let shop = try await trial.bookshop(count: 400)
            let store = trial.store
            for _ in 0..<20 {
                let task = Task { try await store.read(ReadRequest(BookMapper.schema, order: [OrderTerm(.column(0))])) }
                await Task.yield()
                task.cancel()
                if let found = try? await task.value { try expect("the entities read", found.items.count, is: 400) }
            }
            try await trial.expectCount(shop.books.count, of: BookMapper.schema)
            try await trial.insert(try Author(trial.id(), "Ada").object)
        }.tests("store.8"),
        Law(.cancellation, "A commit that is cancelled at any time is stored or not, as its result says") { trial in
            let store = trial.store
            for round in 0..<100 {
                let objects = try (0..<5).map { try Author(trial.id(), "Author \(round)-\($0)").object }
                let task = Task { try await store.commit(ChangeSet(inserts: objects)) }
                for _ in 0..<(round % 7) { await Task.yield() }
                task.cancel()
                let isStored: Bool
                do {
                    _ = try await task.value
                    isStored = true
                } catch PersistencyError.cancelled {
                    isStored = false
                }
                let found = try await store.read(objects.map(\.id), of: AuthorMapper.schema)
                try expect("how many of 5 are stored", found.count, is: isStored ? 5 : 0)
            }
        }.tests("commit.29", "commit.30"),
        Law(.cancellation, "A transaction whose task is cancelled in the body stores nothing") { trial in
            let (manager, author) = (trial.manager, Author(trial.id(), "Ada"))
            let error = try await failure(of: "a transaction that was cancelled") {
                try await Task {
                    try await manager.transaction { manager in
                        try await manager.create(author)
                        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                    }
                }.value
            }
            guard case .cancelled = error else { throw LawBroken("unexpected error: \(error)") }
            try await trial.expectAbsent(author.id)
        }.tests("error.2", "transaction.15"),
        Law(.cancellation, "A cancelled commit does not affect the commits that wait with it") { trial in
            let store = trial.store
            let objects = try (0..<60).map { try Author(trial.id(), "Author \($0)").object }
            let tasks = objects.map { object in Task { try await store.commit(ChangeSet(inserts: [object])) } }
            for (number, task) in tasks.enumerated() where number % 3 == 0 { task.cancel() }
            for (number, task) in tasks.enumerated() {
                do {
                    _ = try await task.value
                    try await trial.expectStored(objects[number])
                } catch PersistencyError.cancelled where number % 3 == 0 {
                    try await trial.expectAbsent(objects[number])
                }
            }
        }.tests("commit.3", "commit.29"),
    ]
}

/// Runs an action in a task that is cancelled before it starts.
func cancelled<Result: Sendable>(
    _ action: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await Task {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        return try await action()
    }.value
}
