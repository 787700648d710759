internal import LarderData
internal import LarderDomain
private import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Queries whose pages follow the commits.
enum LiveQueryLaws {
    static let all: [Law] = [
        Law(.changes, "A live query has a new page after each commit that changes it") { trial in
            let shop = try await LiveShop(trial)
            for query in [shop.page, shop.counted, shop.all, shop.rest] {
                var pages = try await trial.manager.observe(query).makeAsyncIterator()
                try await trial.expectPage(try await pages.next(isolation: #isolation), of: query, "at the start")
                for (what, change) in shop.changes {
                    let before = try await trial.manager.read(query)
                    try await change()
                    if try await trial.manager.read(query) == before { continue }
                    try await trial.expectPage(try await pages.next(isolation: #isolation), of: query, "after \(what)")
                }
                try await shop.restock()
            }
        }.tests("live.1", "live.2"),
        Law(.changes, "A live query has no new page after other commits, and reads none") { trial in
            let shop = try await LiveShop(trial)
            let reads = PageReads(trial.store)
            var pages = try await Library.manager(over: reads).observe(shop.page).makeAsyncIterator()
            let first = try await pages.next(isolation: #isolation)
            try await trial.expectPage(first, of: shop.page, "at the start")
            for number in 0..<50 {
                try await trial.manager.save(shop.book(9, "\(number)", inPrint: false))
                try await trial.manager.save(shop.book(number + 10, "later"))
                try await trial.manager.create(Counter(trial.id()))
                if let same = first?.entities.first { try await trial.manager.save(same) }
            }
            try await trial.manager.delete(shop.book(10).id)
            try await trial.manager.save(shop.book(0, "related"))
            try await trial.expectPage(
                try await pages.next(isolation: #isolation), of: shop.page, "after the related commit")
            try expect("the number of pages that were read", reads.count, is: 2)
        }.tests("live.2", "live.7"),
        Law(.changes, "A live query ends with the page as stored after concurrent commits") { trial in
            let shop = try await LiveShop(trial)
            let sequence = try await trial.manager.observe(shop.counted)
            async let following: QueryPage<Book>? = {
                var previous: QueryPage<Book>?
                for try await page in sequence {
                    try expect(page != previous, "a page was repeated")
                    if page.entities.contains(where: { $0.subtitle == "last" }) { return page }
                    previous = page
                }
                return nil
            }()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 1...8 {
                    group.addTask {
                        for number in 0..<25 {
                            let book = shop.book(task * 7 + number % 11, "\(number)", inPrint: number % 3 > 0)
                            try await trial.manager.save(book)
                            // Another task may have deleted it.
                            if number % 4 == 3 { try? await trial.manager.delete(book.id) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await trial.manager.save(shop.book(0, "last"))
            try await trial.expectPage(try await following, of: shop.counted, "at the end")
        }.tests("live.1", "live.2", "live.3"),
        Law(.changes, "A live query ends when its store is closed, and is refused in a transaction") { trial in
            let shop = try await LiveShop(trial)
            try await trial.manager.transaction { manager in
                let error = try await failure(of: "a live query in a transaction") {
                    try await manager.observe(shop.page)
                }
                guard case .unsupportedQuery = error else { throw LawBroken("unexpected error: \(error)") }
                try await expectOutside("a live query of the outer manager") {
                    try await trial.manager.observe(shop.page)
                }
            }
            var pages = try await trial.manager.observe(shop.page).makeAsyncIterator()
            try await trial.expectPage(try await pages.next(isolation: #isolation), of: shop.page, "at the start")
            await trial.store.close()
            try expect(try await pages.next(isolation: #isolation) == nil, "there was a page of a closed store")
        }.tests("live.4", "live.9", "manager.3"),
        Law(.changes, "A live query ends with the task that reads it, and after the error of a read") { trial in
            let shop = try await LiveShop(trial)
            let sequence = try await trial.manager.observe(shop.page)
            let (began, begin) = AsyncStream.makeStream(of: Void.self)
            let reader = Task { for try await _ in sequence { begin.yield() } }
            for await _ in began { break }
            reader.cancel()
            try await reader.value
            let reads = PageReads(trial.store)
            var pages = try await Library.manager(over: reads).observe(shop.page).makeAsyncIterator()
            _ = try await pages.next(isolation: #isolation)
            reads.failNext()
            try await trial.manager.save(shop.book(0, "changed"))
            let error = try await failure(of: "the next page") { try await pages.next(isolation: #isolation) }
            try expect("the error", Fault(error), is: Fault(PageReads.failure))
            try expect(try await pages.next(isolation: #isolation) == nil, "there was a page after the error")
        }.tests("live.5", "live.6"),
    ]
}

/// Books, of which some match the queries.
private struct LiveShop {
    let trial: Trial
    let genre: Genre
    /// The first two books in print.
    let page = Query<Book>(#Predicate { $0.inPrint }, sort: [Sort(\.title)], limit: 2)
    /// The same, with the number of all.
    let counted = Query<Book>(#Predicate { $0.inPrint }, sort: [Sort(\.title)], limit: 2, includesTotal: true)
    /// All books in print.
    let all = Query<Book>(#Predicate { $0.inPrint }, sort: [Sort(\.title)])
    /// The page after the first book.
    let rest: Query<Book>
    private let ids: [EntityID<Book>]

    init(_ trial: Trial) async throws {
        (self.trial, ids, genre) = (trial, trial.ids(100), Genre(trial.id(), "Fiction"))
        try await trial.manager.create(genre)
        for number in 0..<10 { try await trial.manager.create(Self.book(ids, number, inPrint: number % 2 == 0)) }
        var rest = page
        rest.limit = 1
        rest.after = try await trial.manager.read(rest).next
        rest.limit = 2
        self.rest = rest
    }

    /// Books are in the order of their numbers, up to 9.
    func book(_ number: Int, _ subtitle: String? = nil, inPrint: Bool = true) -> Book {
        Self.book(ids, number, subtitle, inPrint: inPrint)
    }

    private static func book(
        _ ids: [EntityID<Book>], _ number: Int, _ subtitle: String? = nil, inPrint: Bool
    ) -> Book {
        var book = Book(ids[number], number < 10 ? "b\(number)" : "c\(number)")
        (book.subtitle, book.inPrint) = (subtitle, inPrint)
        return book
    }

    typealias Change = (what: String, act: @Sendable () async throws -> Void)

    /// Changes of the books 0, 2, 4, 6 and 8, which are in print, in this order.
    var changes: [Change] {
        let (manager, genre) = (trial.manager, genre)
        func save(_ what: String, _ book: Book) -> Change { (what, { try await manager.save(book) }) }
        func delete(_ what: String, _ book: Book) -> Change { (what, { try await manager.delete(book.id) }) }
        var linked = book(4)
        linked.genres = [genre.id]
        var moved = book(6)
        moved.title = "b0b"
        return [
            save("a new match", book(1)),
            save("a change of a book on the page", book(0, "new")),
            save("a book that no longer matches", book(0, inPrint: false)),
            delete("a deletion on the page", book(1)),
            save("a link", linked),
            ("a removed link", { try await manager.delete(genre.id) }),
            save("a change of the order", moved),
            delete("a deletion after the page", book(4)),
            delete("the deletion of the last book after the page", book(8)),
            save("a new book after the page", book(8)),
            save("a change after the page", book(8, "changed")),
            (
                "a commit of several books",
                {
                    try await manager.transaction { manager in
                        for number in 20..<90 {
                            try await manager.create(Self.book(ids, number, inPrint: number % 2 == 0))
                        }
                        try await manager.delete(book(2).id)
                    }
                }
            ),
        ]
    }

    /// Restores the books of the start.
    func restock() async throws {
        let old = try await trial.manager.read(Query<Book>()).items
        for book in old { try await trial.manager.delete(book.id) }
        if try await trial.manager.read(genre.id) == nil { try await trial.manager.create(genre) }
        for number in 0..<10 { try await trial.manager.create(book(number, inPrint: number % 2 == 0)) }
    }
}

/// A decorator that counts the reads of pages, and can fail.
private final class PageReads: StoreDecorator {
    static let failure = PersistencyError.contention("on purpose")

    let base: any Store
    private let reads = Mutex(0)
    private let isFailing = Mutex(false)

    init(_ base: any Store) {
        self.base = base
    }

    var count: Int { reads.withLock { $0 } }

    func failNext() { isFailing.withLock { $0 = true } }

    func withRows(_ request: ReadRequest, _ body: @escaping RowBody) async throws(PersistencyError) -> PageEnd {
        reads.withLock { $0 += 1 }
        if isFailing.withLock({ $0 }) { throw Self.failure }
        return try await base.withRows(request, body)
    }
}

extension Trial {
    /// Fails the law unless a page of a live query is the page as stored.
    fileprivate func expectPage(_ page: QueryPage<Book>?, of query: Query<Book>, _ moment: String) async throws {
        try expect("the page \(moment)", page, is: try await manager.read(query))
    }
}
