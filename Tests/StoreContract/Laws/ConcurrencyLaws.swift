internal import LarderData
internal import LarderDomain

enum ConcurrencyLaws {
    static let all: [Law] = [
        Law(.concurrency, "Of 20 tasks that create one id, one succeeds") { trial in
            let id: EntityID<Author> = trial.id()
            let manager = trial.manager
            let winners = try await trial.winners(of: 20, losing: \.isDuplicate) { number in
                try await manager.create(Author(id, "Author \(number)"))
            }
            try expect("how many won", winners.count, is: 1)
            try await trial.expectStored(Author(id, "Author \(winners[0])"), version: 1)
        }.tests("commit.12", "create.3"),
        Law(.concurrency, "Of 20 tasks that update one version, one succeeds") { trial in
            let counter = Counter(trial.id(), -1)
            try await trial.manager.create(counter)
            let manager = trial.manager
            let winners = try await trial.winners(of: 20, losing: \.isConflict) { number in
                try await manager.update(Counter(counter.id, number), expecting: 1)
            }
            try expect("how many won", winners.count, is: 1)
            try await trial.expectStored(Counter(counter.id, winners[0]), version: 2)
        }.tests("commit.10", "update.6"),
        Law(.concurrency, "Of 20 tasks that take one unique value, one succeeds") { trial in
            let ids = trial.ids(20, Author.self)
            let manager = trial.manager
            let winners = try await trial.winners(of: 20, losing: \.isDuplicate) { number in
                try await manager.create(Author(ids[number], "Ada"))
            }
            try expect("how many won", winners.count, is: 1)
            try await trial.expectCount(1, of: Author.self)
        }.tests("commit.14", "create.3"),
        Law(.concurrency, "Of 20 tasks that take one id of an owned object, one succeeds") { trial in
            let (store, owned) = (trial.store, trial.rawID())
            let magazines = (0..<20).map { number in
                let article = Press.article(number % 2 == 0 ? owned : trial.rawID(), "Article")
                return Press.magazine(
                    trial.rawID(), "\(number)",
                    articles: number % 2 == 0
                        ? [article] : [article, Press.article(owned, "Article")])
            }
            let winners = try await trial.winners(of: 20, losing: \.isDuplicate) { number in
                try await store.commit(ChangeSet(inserts: [magazines[number]]))
            }
            try expect("how many won", winners.count, is: 1)
            try await trial.expectCount(1, of: Press.magazine)
        }.tests("commit.13"),
        Law(.concurrency, "Of 20 tasks that update or delete one version, one succeeds") { trial in
            let store = trial.store
            for round in 0..<5 {
                let topic = Press.topic(trial.rawID(), "Topic \(round)")
                _ = try await store.commit(ChangeSet(inserts: [topic]))
                let winners = try await trial.winners(of: 20, losing: \.isConflict) { number in
                    let changes =
                        (number + round) % 2 == 0
                        ? ChangeSet(deletes: [topic.deletion(expecting: 1)])
                        : ChangeSet(updates: [topic.update(to: topic, expecting: 1)])
                    _ = try await store.commit(changes)
                }
                try expect("how many won", winners.count, is: 1)
                if (winners[0] + round) % 2 == 0 {
                    try await trial.expectAbsent(topic)
                } else {
                    try await trial.expectStored(topic, version: 2)
                }
            }
        }.tests("commit.10", "set.4", "set.6"),
        Law(.concurrency, "Of a new reference and a concurrent deletion of its target, only one succeeds") { trial in
            let manager = trial.manager
            for round in 0..<20 {
                let author = Author(trial.id(), "Author \(round)")
                var book = Book(trial.id(), "Book")
                book.author = author.id
                let written = book
                try await manager.create(author)
                async let referring: Void = { _ = try? await manager.create(written) }()
                async let deleting: Void = { try? await manager.delete(author.id) }()
                _ = await (referring, deleting)
                let isThere = try await manager.read(author.id) != nil
                let isReferredTo = try await manager.read(book.id) != nil
                try expect(isThere == isReferredTo, "author \(isThere), book \(isReferredTo) in round \(round)")
            }
        }.tests("commit.15", "commit.24"),
        Law(.concurrency, "Of 1,000 increments by 8 tasks, no acknowledged one is lost") { trial in
            let counter = Counter(trial.id())
            try await trial.manager.create(counter)
            let manager = trial.manager
            let successes = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        var successes = 0
                        for _ in 0..<125 {
                            do {
                                try await manager.transaction { manager in
                                    let count = try await manager.require(counter.id).count
                                    try await manager.save(Counter(counter.id, count + 1))
                                }
                                successes += 1
                            } catch PersistencyError.conflict {
                                // All attempts ended in a conflict, which is a valid answer.
                            }
                        }
                        return successes
                    }
                }
                return try await group.reduce(0, +)
            }
            try expect(successes > 0, "none succeeded")
            try await trial.expectStored(Counter(counter.id, successes), version: Int64(successes) + 1)
        }.tests("transaction.7"),
        Law(.concurrency, "Readers never see a part of a change set") { trial in
            let objects = try (0..<10).map { _ in try Counter(trial.id()).object }
            let (store, keys) = (trial.store, objects.map(\.id))
            _ = try await store.commit(ChangeSet(inserts: objects))
            try await withThrowingTaskGroup { group in
                group.addTask {
                    for version in 1...100 as ClosedRange<Int64> {
                        let updates = objects.map { $0.update(to: $0.counting(version), expecting: version) }
                        _ = try await store.commit(ChangeSet(updates: updates))
                    }
                }
                for byID in [true, false] {
                    group.addTask {
                        for _ in 0..<150 {
                            let found =
                                byID
                                ? try await store.read(keys, of: CounterMapper.schema)
                                : try await store.read(ReadRequest(CounterMapper.schema)).items
                            try expect("the number of results", found.count, is: 10)
                            let states = Set(found.map { [$0.values[0], .integer($0.version - 1)] })
                            try expect(states.count == 1, "a reader saw \(states)")
                            try expect(states.first?[0] == states.first?[1], "version and value differ: \(states)")
                        }
                    }
                }
                try await group.waitForAll()
            }
        }.tests("commit.2", "ids.5", "page.1"),
        Law(.concurrency, "A total belongs to the snapshot of its page") { trial in
            let (store, ids) = (trial.store, trial.ids(100, Counter.self))
            try await withThrowingTaskGroup { group in
                group.addTask {
                    for id in ids { _ = try await store.commit(ChangeSet(inserts: [try Counter(id).object])) }
                }
                group.addTask {
                    for _ in 0..<100 {
                        let page = try await store.read(ReadRequest(CounterMapper.schema, includesTotal: true))
                        try expect("the total", page.total, is: page.items.count)
                    }
                }
                try await group.waitForAll()
            }
        }.tests("page.2"),
        Law(.concurrency, "A sum that every transaction preserves is the same in each read") { trial in
            let ids = trial.ids(4, Counter.self)
            for id in ids { try await trial.manager.create(Counter(id, 100)) }
            let manager = trial.manager
            try await withThrowingTaskGroup { group in
                for task in 0..<4 {
                    group.addTask {
                        for step in 0..<20 {
                            let (from, to) = (ids[(task + step) % 4], ids[(task + step * 3 + 1) % 4])
                            try? await manager.transaction { manager in
                                guard from != to else { return }
                                let (one, other) = (try await manager.require(from), try await manager.require(to))
                                try await manager.save(Counter(from, one.count - step))
                                try await manager.save(Counter(to, other.count + step))
                            }
                        }
                    }
                }
                group.addTask {
                    for _ in 0..<50 {
                        let sum = try await manager.read(Query<Counter>()).items.reduce(0) { $0 + $1.count }
                        try expect("the sum", sum, is: 400)
                    }
                }
                try await group.waitForAll()
            }
        }.tests("transaction.1", "transaction.7"),
        Law(.concurrency, "Commits of many tasks have different tokens") { trial in
            let (store, ids) = (trial.store, trial.ids(100, Counter.self))
            let tokens = try await withThrowingTaskGroup(of: ChangeToken.self) { group in
                for id in ids {
                    group.addTask { try await store.commit(ChangeSet(inserts: [try Counter(id).object])).token }
                }
                return try await group.reduce(into: Set<ChangeToken>()) { $0.insert($1) }
            }
            try expect("how many tokens there were", tokens.count, is: 100)
        }.tests("receipt.1", "token.3"),
    ]
}

extension StorageObject {
    /// The counter with a different value.
    fileprivate func counting(_ count: Int64) -> StorageObject {
        var object = self
        object.values[0] = .integer(count)
        return object
    }
}

extension PersistencyError {
    fileprivate var isConflict: Bool { if case .conflict = self { true } else { false } }
    fileprivate var isDuplicate: Bool { if case .duplicate = self { true } else { false } }
}

extension Trial {
    /// Runs an action many times concurrently and returns the numbers of the successful runs. The others must have
    /// lost.
    fileprivate func winners<Result>(
        of count: Int, losing isLoss: @escaping @Sendable (PersistencyError) -> Bool,
        _ action: @escaping @Sendable (Int) async throws -> Result
    ) async throws -> [Int] {
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for number in 0..<count {
                group.addTask {
                    do {
                        _ = try await action(number)
                        return number
                    } catch let error as PersistencyError where isLoss(error) {
                        return nil
                    }
                }
            }
            return try await group.reduce(into: []) { if let number = $1 { $0.append(number) } }
        }
    }
}
