internal import LarderData
internal import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Pages before a cursor.
extension OrderLaws {
    static let backwards: [Law] = [
        Law(.order, "Pages before a cursor are those after one, in both directions") { trial in
            _ = try await trial.bookshop()
            for sort in Self.sorts {
                for limit in [1, 7, 25, 60] {
                    let query = Query<Book>(
                        #Predicate { $0.title != "" }, sort: sort, limit: limit, includesTotal: true)
                    let pages = try await trial.walk(query)
                    guard var page = pages.last else { throw LawBroken("no page") }
                    try expect("a page before the first", pages[0].previous, is: nil)
                    for expected in pages.dropLast().reversed() {
                        let later = page
                        page = try await trial.manager.read(query.before(page.previous))
                        try expect("a previous page of \(limit)", page.items, is: expected.items)
                        try expect("its total", page.total, is: expected.total)
                        let again = try await trial.manager.read(query.after(page.next))
                        try expect("the page after it", again.items, is: later.items)
                    }
                    let none = page.previous.map { query.before($0) }
                    if let none { try expect("before the first", try await trial.manager.read(none).items, is: []) }
                }
            }
        }.tests("query.6", "request.17", "request.18"),
        Law(.order, "A page before a cursor has the last entities before it, whatever was created or deleted") {
            trial in
            let counters = (0..<9).map { Counter(trial.id(), $0 / 3) }
            try await trial.manager.create(contentsOf: counters)
            let query = Query<Counter>(sort: [Sort(\.count)], limit: 3)
            let start = try await trial.manager.read(query).next
            let second = try await trial.manager.read(query.after(start))
            try expect("the second page", second.items.map(\.id), is: counters[3..<6].map(\.id))
            try await trial.manager.delete(counters[2].id)
            let late = Counter(trial.id(), 0)
            try await trial.manager.create(late)
            let first = try await trial.manager.read(query.before(second.previous))
            try expect("the first page", first.items.map(\.id), is: [counters[0].id, counters[1].id])
            try await trial.manager.transaction { manager in
                try await manager.delete(counters[0].id)
                let pending = try await manager.read(query.before(second.previous))
                try expect("the page in a transaction", pending.items.map(\.id), is: [counters[1].id])
            }
            // The id after or before one of these has another upper half.
            let edges = ([1, 2, 3] as [UInt64]).flatMap { high in
                ([0, .max] as [UInt64]).map { Counter(EntityID(RawID(high: high, low: $0)), 9) }
            }
            try await trial.manager.create(contentsOf: edges)
            let nine = Query<Counter>(#Predicate { $0.count == 9 }, limit: 1)
            var page = try await trial.manager.read(nine)
            for edge in edges.dropFirst() {
                let former = page
                page = try await trial.manager.read(nine.after(page.next))
                try expect("the next page", page.items.map(\.id), is: [edge.id])
                let previous = try await trial.manager.read(nine.before(page.previous))
                try expect("the page before it", previous.items, is: former.items)
                let again = try await trial.manager.read(nine.after(previous.next))
                try expect("the page after that", again.items, is: page.items)
            }
        }.tests("query.6"),
        Law(.order, "A cursor before which no page ends is refused") { trial in
            try await trial.manager.create(contentsOf: (0..<4).map { Counter(trial.id(), $0) })
            let query = Query<Counter>(limit: 2)
            let first = try await trial.manager.read(query)
            let second = try await trial.manager.read(query.after(first.next))
            var both = query.after(first.next)
            both.before = second.previous
            try await expectUnsupported("a page between two cursors") { try await trial.manager.read(both) }
            let other = Query<Counter>(sort: [Sort(\.count)], limit: 2)
            try await expectUnsupported("a cursor of another order") {
                try await trial.manager.read(other.before(second.previous))
            }
            let some = Query<Counter>(#Predicate { $0.count > 0 }, limit: 2)
            try await expectUnsupported("a cursor of another condition") {
                try await trial.manager.read(some.before(second.previous))
            }
            try await expectUnsupported("a live query") {
                try await trial.manager.observe(query.before(second.previous))
            }
            try await expectUnsupported("a stream") {
                for try await _ in trial.manager.stream(query.before(second.previous)) {}
            }
            try await trial.manager.create(contentsOf: (0..<3).map { _ in Letter(trial.id(), subject: "word") })
            let search = Query<Letter>(search: "word", limit: 1)
            let found = try await trial.manager.read(search.after(try await trial.manager.read(search).next))
            try expect("the number of letters", found.items.count, is: 1)
            try expect("the page before one of a search", found.previous, is: nil)
        }.tests("query.4"),
    ]

    private static var sorts: [[Sort<Book>]] {
        [
            [], [Sort(\.title)], [Sort(\.pages)], [Sort(\.pages, .descending)],
            [Sort(\.price, .descending), Sort(\.subtitle)],
        ]
    }
}

extension Query {
    fileprivate func before(_ cursor: Cursor?) -> Query {
        var query = self
        (query.after, query.before) = (nil, cursor)
        return query
    }

    fileprivate func after(_ cursor: Cursor?) -> Query {
        var query = self
        (query.after, query.before) = (cursor, nil)
        return query
    }
}

extension Trial {
    /// All pages, forwards.
    fileprivate func walk(_ query: Query<Book>) async throws -> [QueryPage<Book>] {
        var (pages, query) = ([QueryPage<Book>](), query)
        repeat {
            pages.append(try await manager.read(query))
            query.after = pages.last?.next
        } while query.after != nil && pages.count < 100
        return pages
    }
}
