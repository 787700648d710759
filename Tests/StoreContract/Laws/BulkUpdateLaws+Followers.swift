internal import LarderData
internal import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension BulkUpdateLaws {
    static let followers: [Law] = [
        law(.changes, "A stream has one element for an update by query") { trial in
            let books = try await trial.books(5)
            var events = try await trial.manager.changes(after: nil).makeAsyncIterator()
            try await trial.manager.update(matching: Query<Book>()) { $0.add(\.pages, 1) }
            try await trial.manager.delete(books[0].id)
            guard case .commit(let commit)? = await events.next(isolation: #isolation) else {
                throw LawBroken("no element")
            }
            try expect("the element", commit.bulk, is: CommittedBulkUpdate(of: "book", count: 5))
            try expect("the named entities", commit.entries, is: [])
            guard case .commit(let next)? = await events.next(isolation: #isolation) else {
                throw LawBroken("no element for the deletion")
            }
            try expect("the deleted entity", next.entries.first?.reference, is: EntityReference(books[0].id))
            try expect("the version of the deleted entity", next.entries.first?.version, is: 2)
            try expect("the next position", next.token.position, is: commit.token.position + 1)
        }.tests("bulk.6"),
        law(.changes, "A stream that starts before an update by query has its element", needs: [.journal]) { trial in
            let token = try await trial.store.commit(ChangeSet()).token
            let ids = Set(try await trial.books(2).map(\.id.rawValue))
            try await trial.manager.update(matching: Query<Book>()) { $0.set(\.subtitle, to: "new") }
            var events = try await trial.manager.changes(after: token).makeAsyncIterator()
            _ = await events.next(isolation: #isolation)
            guard case .commit(let commit)? = await events.next(isolation: #isolation) else {
                throw LawBroken("no element")
            }
            try expect("the element", commit.bulk, is: CommittedBulkUpdate(of: "book", count: 2))
            guard trial.store.traits.capabilities.contains(.durable) else { return }
            try await trial.reopened { again in
                var events = try await again.manager.changes(after: token).makeAsyncIterator()
                _ = await events.next(isolation: #isolation)
                guard case .commit(let commit)? = await events.next(isolation: #isolation) else {
                    throw LawBroken("no element after a reopening")
                }
                let named = Set(commit.entries.map(\.reference.id))
                if commit.bulk == nil { try expect("the named books", named, is: ids) }
            }
        }.tests("bulk.6", "bulk.13"),
        law(.changes, "A live query has a new page after an update by query") { trial in
            let books = try await trial.books(4)
            let query = Query<Book>(#Predicate { $0.pages == 40 })
            var pages = try await trial.manager.observe(query).makeAsyncIterator()
            try expect("the first page", try await pages.next(isolation: #isolation)?.items.count, is: 0)
            try await trial.manager.update(matching: Query<Book>()) { $0.set(\.pages, to: 40) }
            try expect("the next page", try await pages.next(isolation: #isolation)?.items.count, is: 4)
            let author = Author(trial.id(), "Ada")
            try await trial.manager.create(author)
            try await trial.manager.change(books[0].id) { $0.author = author.id }
            let email: String? = "ada@example.org"
            let known = Query<Book>(related: [.to(\.author, Query(#Predicate { $0.email == email }))])
            var others = try await trial.manager.observe(known).makeAsyncIterator()
            try expect("books by known authors", try await others.next(isolation: #isolation)?.items.count, is: 0)
            try await trial.manager.update(matching: Query<Author>()) { $0.set(\.email, to: email) }
            try expect("then", try await others.next(isolation: #isolation)?.items.count, is: 1)
        }.tests("bulk.6"),
        law(.changes, "No cached entity survives an update by query") { trial in
            let manager = try Library.manager(over: CachedStore(trial.store))
            let books = try await trial.books(3)
            for book in books { _ = try await manager.read(book.id) }
            try await manager.update(matching: Query<Book>()) { $0.set(\.subtitle, to: "new") }
            for book in books {
                try expect("the subtitle", try await manager.require(book.id).subtitle, is: "new")
            }
        }.tests("bulk.1"),
    ]
}
