internal import LarderData
internal import LarderDomain

/// An error that a body throws and that is not a store's error.
private struct Regret: Error, Equatable {
    let number: Int
}

enum TransactionLaws {
    static let all: [Law] = [
        Law(.transactions, "All changes of a body are one commit") { trial in
            let stream = await trial.store.changes()
            let authors = (0..<3).map { Author(trial.id(), "Author \($0)") }
            let answer = try await trial.manager.transaction { manager in
                for author in authors { try await manager.create(author) }
                return 42
            }
            try expect("the result of the transaction", answer, is: 42)
            for author in authors { try await trial.expectStored(author, version: 1) }
            try expect("the number of commits", try await trial.heard(stream).count, is: 1)
        }.tests("transaction.1"),
        Law(.transactions, "An error of the body is rethrown, and nothing is stored, wherever it is thrown") { trial in
            let kept = Author(trial.id(), "Ada", email: "ada@example.org")
            let gone = Author(trial.id(), "Bea")
            for author in [kept, gone] { try await trial.manager.create(author) }
            let new = Author(trial.id(), "Cleo")
            let steps: [@Sendable (any PersistencyManager) async throws -> Void] = [
                { try await $0.create(new) },
                { try await $0.save(Author(kept.id, "Ada the elder")) },
                { try await $0.delete(gone.id) },
                { _ = try await $0.read(Query<Author>()) },
            ]
            for number in 0...steps.count {
                do {
                    try await trial.manager.transaction { manager in
                        for step in steps.prefix(number) { try await step(manager) }
                        throw Regret(number: number)
                    }
                    throw LawBroken("the transaction did not fail")
                } catch let regret as Regret {
                    try expect("the body's error", regret, is: Regret(number: number))
                }
                try await trial.expectAbsent(new.id)
                try await trial.expectStored(kept, version: 1)
                try await trial.expectStored(gone, version: 1)
            }
        }.tests("transaction.2", "transaction.13"),
        Law(.transactions, "A change that the store refuses at the end prevents all others") { trial in
            try await trial.manager.create(Author(trial.id(), "Ada"))
            let (before, after) = (Author(trial.id(), "Bea"), Author(trial.id(), "Cleo"))
            try await duplicate(of: "a transaction with a taken name") {
                try await trial.manager.transaction { manager in
                    try await manager.create(before)
                    try await manager.create(Author(trial.id(), "Ada"))
                    try await manager.create(after)
                }
            }
            try await trial.expectAbsent(before.id)
            try await trial.expectAbsent(after.id)
            try await trial.expectCount(1, of: Author.self)
        }.tests("error.1", "transaction.15"),
        Law(.transactions, "Reads inside a transaction see its changes, by id and by query") { trial in
            let (ada, bea) = (Author(trial.id(), "Ada"), Author(trial.id(), "Bea"))
            for author in [ada, bea] { try await trial.manager.create(author) }
            let new = Author(trial.id(), "Cleo")
            try await trial.manager.transaction { manager in
                try await manager.create(new)
                try await manager.save(Author(ada.id, "Zoe"))
                try await manager.delete(bea.id)
                try expect("the new one", try await manager.read(new.id)?.entity, is: new)
                try expect("the changed one", try await manager.read(ada.id)?.name, is: "Zoe")
                try expect("the deleted one", try await manager.read(bea.id)?.entity, is: nil)
                let query = Query<Author>(sort: [Sort(\.name)], includesTotal: true)
                let page = try await manager.read(query)
                try expect("the names", page.entities.map(\.name), is: ["Cleo", "Zoe"])
                try expect("the total", page.total, is: 2)
            }
            try await trial.expectCount(2, of: Author.self)
        }.tests("transaction.3"),
        Law(.transactions, "Pages and counts inside a transaction see its changes") { trial in
            var shop = try await trial.bookshop(count: 40)
            let plan = shop.books.enumerated().filter { $0.offset % 3 == 0 }
            shop = Bookshop(trial, count: 0)
            let all = try await trial.manager.transaction { manager in
                for (offset, book) in plan {
                    var changed = book
                    changed.title = offset % 2 == 0 ? "" : "~~~"
                    if offset % 4 == 1 { try await manager.delete(book.id) } else { try await manager.save(changed) }
                }
                try await manager.create(Book(trial.id(), "middle"))
                var query = Query<Book>(sort: [Sort(\.title, .descending)], limit: 6, includesTotal: true)
                var paged: [EntityID<Book>] = []
                let whole = try await manager.read(Query<Book>(sort: query.sort)).items.map(\.id)
                repeat {
                    let page = try await manager.read(query)
                    paged += page.items.map(\.id)
                    try expect("the total", page.total, is: whole.count)
                    query.after = page.next
                    try expect(paged.count <= whole.count, "the pages do not end")
                } while query.after != nil
                try expect("the pages, joined", paged, is: whole)
                let counts = try await manager.counts(Query<Book>(), by: .value(\.title))
                try expect("the sum of counts", counts.values.reduce(0, +), is: whole.count)
                try expect("the count of one", counts["middle"], is: 1)
                return whole
            }
            let after = try await trial.manager.read(Query<Book>(sort: [Sort(\.title, .descending)])).items.map(\.id)
            try expect("the stored state afterwards", after, is: all)
        }.tests("transaction.3"),
        Law(.transactions, "No change is visible outside a transaction before its end") { trial in
            let author = Author(trial.id(), "Ada")
            let store = trial.store
            try await trial.manager.transaction { manager in
                try await manager.create(author)
                let outside = try await store.read([author.id.rawValue], of: AuthorMapper.schema)
                try expect("the number visible outside", outside.count, is: 0)
            }
            try await trial.expectStored(author, version: 1)
        }.tests("transaction.4"),
        Law(.transactions, "A transaction that only reads commits nothing") { trial in
            let author = Author(trial.id(), "Ada")
            try await trial.manager.create(author)
            let (store, manager) = try trial.recording()
            let name = try await manager.transaction { manager in try await manager.require(author.id).name }
            try expect("the entities read", name, is: "Ada")
            try expect("the number of commits", store.commits.count, is: 0)
        }.tests("transaction.6"),
        Law(.transactions, "An entity that a transaction creates and deletes is never stored") { trial in
            let (store, manager) = try trial.recording()
            let author = Author(trial.id(), "Ada")
            try await manager.transaction { manager in
                try await manager.create(author)
                try await manager.delete(author.id)
            }
            try expect("the number of commits", store.commits.count, is: 0)
            try await trial.expectAbsent(author.id)
        }.tests("transaction.6"),
    ]
}
