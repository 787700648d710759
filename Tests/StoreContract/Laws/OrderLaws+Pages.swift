#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderData
internal import LarderDomain

extension OrderLaws {
    static let pages: [Law] = [
        Law(.order, "Pages of any length contain every entity once, in order") { trial in
            let shop = try await trial.bookshop()
            let sorts: [[Sort<Book>]] = [
                [], [Sort(\.title)], [Sort(\.pages)], [Sort(\.pages, .descending)],
                [Sort(\.price, .descending), Sort(\.subtitle)],
            ]
            for sort in sorts {
                let whole = try await trial.manager.read(Query(sort: sort)).items.map(\.id)
                for limit in [3, 17, 59, 60, 61] {
                    let pages = try await trial.pages(of: Query(sort: sort, limit: limit))
                    try expect("the pages of \(limit), joined", pages.joined().map(\.id), is: whole)
                    let lengths = pages.dropLast().map(\.count)
                    try expect("the lengths of full pages", Set(lengths).subtracting([limit]), is: [])
                }
            }
            try expect("the number of books", shop.books.count, is: 60)
        }.tests("query.1", "query.2", "request.4", "request.7", "request.20"),
        Law(.order, "The last page has no cursor, also if it is full") { trial in
            for _ in 0..<6 { try await trial.manager.create(Counter(trial.id())) }
            for (limit, pages) in [(3, 2), (6, 1), (4, 2), (7, 1)] {
                let found = try await trial.pages(of: Query<Counter>(limit: limit))
                try expect("the number of pages of \(limit)", found.count, is: pages)
            }
        }.tests("request.20"),
        Law(.order, "Each page has the total of all pages") { trial in
            let shop = try await trial.bookshop()
            let expected = shop.books.filter(\.inPrint).count
            var query = Query<Book>(#Predicate { $0.inPrint }, sort: [Sort(\.title)], limit: 20, includesTotal: true)
            var pages = 0
            repeat {
                let page = try await trial.manager.read(query)
                try expect("the total", page.total, is: expected)
                query.after = page.next
                pages += 1
                try expect(pages <= expected, "the pages do not end")
            } while query.after != nil
            query.includesTotal = false
            try expect("a total without a request for it", try await trial.manager.read(query).total, is: nil)
        }.tests("request.6", "request.12"),
        Law(.order, "Insertions and deletions between pages neither repeat nor hide other entities") { trial in
            let shop = try await trial.bookshop()
            var query = Query<Book>(sort: [Sort(\.title)], limit: 25)
            var seen: [EntityID<Book>] = []
            var (gone, round): (Set<EntityID<Book>>, Int) = ([], 0)
            repeat {
                let page = try await trial.manager.read(query)
                seen += page.items.map(\.id)
                query.after = page.next
                // The last object of the page is deleted, and others are inserted before and after it.
                if let last = page.items.last, page.next != nil {
                    gone.insert(last.id)
                    try await trial.manager.delete(last.id)
                    try await trial.manager.create(Book(trial.id(), "\(last.title) \(round)"))
                    try await trial.manager.create(Book(trial.id(), "!\(round)"))
                }
                round += 1
                try expect(round < 100, "the pages do not end")
            } while query.after != nil
            try expect("how often an entity was met", Set(seen).count, is: seen.count)
            let missed = Set(shop.books.map(\.id)).subtracting(seen)
            try expect("the roots that were stored throughout and are on no page", missed, is: [])
        }.tests("request.4", "request.5"),
        Law(.order, "A cursor of another query is refused, as is any other text") { trial in
            _ = try await trial.bookshop()
            let query = Query<Book>(sort: [Sort(\.title)], limit: 5)
            guard let cursor = try await trial.manager.read(query).next else { throw LawBroken("there is no cursor") }
            let title = "A"
            let others: [Query<Book>] = [
                Query(sort: [Sort(\.title, .descending)], limit: 5, after: cursor),
                Query(sort: [Sort(\.pages)], limit: 5, after: cursor),
                Query(limit: 5, after: cursor),
                Query(#Predicate { $0.title > title }, sort: [Sort(\.title)], limit: 5, after: cursor),
                Query(sort: [Sort(\.title)], limit: 5, after: Cursor(rawValue: "")),
                Query(sort: [Sort(\.title)], limit: 5, after: Cursor(rawValue: "no cursor")),
                Query(sort: [Sort(\.title)], limit: 5, after: Cursor(rawValue: String(cursor.rawValue.dropLast(2)))),
            ]
            for other in others {
                let error = try await failure(of: "a cursor that is not the query's") {
                    try await trial.manager.read(other)
                }
                guard case .unsupportedQuery = error else { throw LawBroken("unexpected error: \(error)") }
            }
        }.tests("query.4"),
        Law(.order, "A cursor is valid after the store was reopened", needs: [.durable]) { trial in
            let shop = try await trial.bookshop()
            let query = Query<Book>(sort: [Sort(\.pages)], limit: 50)
            let first = try await trial.manager.read(query)
            let rest = try await trial.reopened { again in
                try await again.pages(of: Query<Book>(sort: [Sort(\.pages)], limit: 50, after: first.next)).joined()
            }
            try expect("how many were met", Set(first.items.map(\.id) + rest.map(\.id)).count, is: shop.books.count)
        }.tests("query.2"),
        Law(.order, "Pages continue at values that are too long for a cursor") { trial in
            let long = String(repeating: "ü", count: 2_000)
            for number in 0..<12 { try await trial.manager.create(Book(trial.id(), "\(long)\(number % 4)")) }
            let isLong = #Predicate<Book> { $0.title.starts(with: "ü") }
            var query = Query(isLong, sort: [Sort(\.title)])
            let whole = try await trial.manager.read(query).items.map(\.id)
            try expect("the number of books", whole.count, is: 12)
            query.limit = 5
            try expect("the pages, joined", try await trial.pages(of: query).joined().map(\.id), is: whole)
            query.after = try await trial.manager.read(query).next
            let length = query.after?.rawValue.utf8.count ?? .max
            try expect(length <= Cursor.maximumLength, "a cursor has \(length) bytes")
            let inside = try await trial.manager.transaction { try await $0.read(query).items.map(\.id) }
            try expect("a page in a transaction", inside, is: Array(whole[5..<10]))
            try await trial.manager.delete(whole[4])
            let error = try await failure(of: "a cursor at a deleted entity") { try await trial.manager.read(query) }
            guard case .unsupportedQuery = error else { throw LawBroken("unexpected error: \(error)") }
        }.tests("query.2", "query.3"),
        Law(.order, "The limit of a page is at least one") { trial in
            let error = try await failure(of: "a page of none") { try await trial.manager.read(Query<Book>(limit: 0)) }
            guard case .unsupportedQuery = error else { throw LawBroken("unexpected error: \(error)") }
        }.tests("query.3"),
    ]
}

extension Trial {
    /// All pages of a query, in order.
    func pages<E: Entity>(of query: Query<E>) async throws -> [[Stored<E>]] {
        var (query, pages): (Query<E>, [[Stored<E>]]) = (query, [])
        repeat {
            let page = try await manager.read(query)
            pages.append(page.items)
            try expect(pages.count < 10_000, "the pages do not end")
            query.after = page.next
        } while query.after != nil
        return pages
    }
}
