internal import LarderDomain
private import Synchronization

/// An error that the enclosing body catches.
private struct Caught: Error {}

extension TransactionLaws {
    static let nested: [Law] = [
        Law(.transactions, "An inner transaction that fails is undone, and its reads are checked") { trial in
            let (author, new, read) = (Author(trial.id(), "Ada"), Author(trial.id(), "New"), Counter(trial.id(), 1))
            try await trial.manager.create(author)
            try await trial.manager.create(read)
            let (store, manager) = try trial.recording()
            let outer = trial.manager
            store.beforeNextCommit { _ in try await outer.save(Counter(read.id, 2)) }
            let counts = Mutex<[Int]>([])
            try await manager.transaction { manager in
                try await manager.save(Author(author.id, "Ada the elder"))
                do {
                    try await manager.transaction { inner in
                        let count = try await inner.require(read.id).count
                        counts.withLock { $0.append(count) }
                        try await inner.save(Author(author.id, "Bea"))
                        try await inner.create(new)
                        throw Caught()
                    }
                } catch is Caught {}
                let name = try await manager.require(author.id).name
                try expect("the name after the inner transaction", name, is: "Ada the elder")
                try expect("the entity of the inner transaction", try await manager.read(new.id), is: nil)
            }
            try expect("what the inner transaction read", counts.withLock { $0 }, is: [1, 2])
            try await trial.expectStored(Author(author.id, "Ada the elder"), version: 2)
            try await trial.expectAbsent(new.id)
        }.tests("transaction.11", "transaction.12"),
        Law(.transactions, "A manager says whether it is that of a transaction, and permits every action by default") {
            trial in
            func expectOpen(_ manager: any PersistencyManager, isInTransaction: Bool) throws {
                try expect("whether it is in a transaction", manager.isInTransaction, is: isInTransaction)
                for action in [Forbidden.Action.creating, .changing, .deleting, .using] {
                    try manager.requirePermission(for: action, trial.id(), of: Author.self)
                }
            }
            try expectOpen(trial.manager, isInTransaction: false)
            try await trial.manager.transaction { try expectOpen($0, isInTransaction: true) }
        }.tests("manager.4", "manager.6"),
    ]
}
