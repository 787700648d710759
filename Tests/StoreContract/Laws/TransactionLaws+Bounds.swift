internal import LarderData
internal import LarderDomain
private import Synchronization

extension TransactionLaws {
    static let bounds: [Law] = [
        Law(.transactions, "A transaction inside a transaction joins it, on whichever manager of the store") { trial in
            let authors = (0..<3).map { Author(trial.id(), "Author \($0)") }
            let (store, outer) = try trial.recording()
            try await outer.transaction { manager in
                try await manager.create(authors[0])
                try await manager.transaction { try await $0.create(authors[1]) }
                try await outer.transaction { inner in
                    try expect(
                        "the change of the enclosing transaction", try await inner.read(authors[0].id)?.entity,
                        is: authors[0])
                    try await inner.create(authors[2])
                }
                try expect("the number of commits", store.commits.count, is: 0)
            }
            try expect("the number of commits", store.commits.count, is: 1)
            try await trial.expectCount(3, of: Author.self)
        }.tests("transaction.10"),
        Law(.transactions, "An error of an inner transaction that leaves the outer one discards both") { trial in
            let (ada, bea) = (Author(trial.id(), "Ada"), Author(trial.id(), "Bea"))
            let outer = trial.manager
            try await expectNotFound("the inner transaction") {
                try await outer.transaction { manager in
                    try await manager.create(ada)
                    try await outer.transaction { inner in
                        try await inner.create(bea)
                        try await inner.delete(inner.require(EntityID<Author>(RawID(high: 0, low: 0))).id)
                    }
                }
            }
            try await trial.expectCount(0, of: Author.self)
        }.tests("transaction.2", "transaction.10"),
        Law(.transactions, "Other managers of the store are refused inside a transaction") { trial in
            let author = Author(trial.id(), "Ada")
            let outer = trial.manager
            try await outer.transaction { manager in
                try await manager.create(author)
                try await expectOutside("a read by the outer manager") { try await outer.read(author.id) }
                try await expectOutside("a query by the outer manager") { try await outer.read(Query<Author>()) }
                try await expectOutside("a create by the outer manager") {
                    try await outer.create(Author(trial.id(), "Bea"))
                }
                try await expectOutside("a save by the outer manager") { try await outer.save(author) }
                try await expectOutside("a delete by the outer manager") { try await outer.delete(author.id) }
            }
            try await trial.expectStored(author, version: 1)
            try await trial.expectCount(1, of: Author.self)
        }.tests("error.12", "manager.3"),
        Law(.transactions, "The body's manager is refused after the transaction, however it ended") { trial in
            let kept = Mutex<[any PersistencyManager]>([])
            try await trial.manager.transaction { manager in kept.withLock { $0.append(manager) } }
            _ = try? await trial.manager.transaction { manager in
                kept.withLock { $0.append(manager) }
                throw LawBroken("on purpose")
            }
            for manager in kept.withLock({ $0 }) {
                try await expectOutside("a create") { try await manager.create(Author(trial.id(), "Ada")) }
                try await expectOutside("a read") { try await manager.read(Query<Author>()) }
            }
            try await trial.expectCount(0, of: Author.self)
        }.tests("error.13"),
        Law(.transactions, "A body is repeated after a concurrent commit, on its state") { trial in
            let counter = Counter(trial.id())
            try await trial.manager.create(counter)
            let (store, manager) = try trial.recording()
            let outer = trial.manager
            store.beforeNextCommit { _ in try await outer.save(Counter(counter.id, 10)) }
            let seen = Mutex<[Int]>([])
            try await manager.transaction { manager in
                let count = try await manager.require(counter.id).count
                seen.withLock { $0.append(count) }
                try await manager.save(Counter(counter.id, count + 1))
            }
            try expect("the state that the body read", seen.withLock { $0 }, is: [0, 10])
            try await trial.expectStored(Counter(counter.id, 11), version: 3)
        }.tests("transaction.8"),
        Law(.transactions, "Roots that were only read, by id or by query, must be unchanged") { trial in
            for byQuery in [false, true] {
                let (read, written) = (Counter(trial.id(), 1), Counter(trial.id()))
                for counter in [read, written] { try await trial.manager.create(counter) }
                let (store, manager) = try trial.recording()
                let outer = trial.manager
                store.beforeNextCommit { _ in try await outer.save(Counter(read.id, 5)) }
                try await manager.transaction { manager in
                    let found = byQuery ? try await manager.read(Query<Counter>()).items : []
                    let count =
                        byQuery ? found.first { $0.id == read.id }?.count : try await manager.require(read.id).count
                    try await manager.save(Counter(written.id, (count ?? 0) * 100))
                }
                try await trial.expectStored(Counter(written.id, 500))
                for id in [read.id, written.id] { try await trial.manager.delete(id) }
            }
        }.tests("transaction.7"),
        Law(.transactions, "Roots that a read by id did not find must still be absent") { trial in
            let (maybe, note) = (Counter(trial.id(), 7), Counter(trial.id()))
            let (store, manager) = try trial.recording()
            let outer = trial.manager
            store.beforeNextCommit { _ in try await outer.create(maybe) }
            try await manager.transaction { manager in
                let count = try await manager.read(maybe.id)?.count
                try await manager.create(Counter(note.id, count ?? -1))
            }
            try await trial.expectStored(Counter(note.id, 7))
        }.tests("read.2"),
        Law(.transactions, "Attempts are bounded, and the last conflict is thrown") { trial in
            let counter = Counter(trial.id())
            try await trial.manager.create(counter)
            let (store, manager) = try trial.recording()
            let outer = trial.manager
            let attempts = Mutex(0)
            try await conflict(of: "a transaction that always loses") {
                try await manager.transaction { manager in
                    let count = try await manager.require(counter.id).count
                    let number = attempts.withLock { attempts in
                        attempts += 1
                        return attempts
                    }
                    try expect(number < 1000, "the body ran \(number) times")
                    store.beforeNextCommit { _ in try await outer.save(Counter(counter.id, number * 10)) }
                    try await manager.save(Counter(counter.id, count + 1))
                }
            }
            let last = attempts.withLock { $0 }
            try expect(last > 1, "the body did not run again")
            try await trial.expectStored(Counter(counter.id, last * 10))
        }.tests("transaction.9", "transaction.14"),
    ]
}
