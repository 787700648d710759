#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderData
internal import LarderDomain

enum OrderLaws {
    static let all: [Law] = [
        Law(.order, "Without a sort, entities are in the order of their ids") { trial in
            let counters = (0..<200).map { Counter(trial.id(), $0) }
            var chance = Chance(seed: 13)
            for counter in counters.shuffled(using: &chance) { try await trial.manager.create(counter) }
            let found = try await trial.manager.read(Query<Counter>()).entities
            try expect("the order", found, is: counters)
        }.tests("request.3"),
        Law(.order, "Texts are ordered by their bytes") { trial in
            let shop = try await trial.bookshop()
            try await trial.expectOrder([Sort(\.title)], in: shop) { $0.title.order($1.title) }
            try await trial.expectOrder([Sort(\.title, .descending)], in: shop) { $1.title.order($0.title) }
        }.tests("request.17", "request.19"),
        Law(.order, "Missing values come first, and last in a descending order") { trial in
            let shop = try await trial.bookshop()
            try await trial.expectOrder([Sort(\.pages)], in: shop) { order($0.pages, $1.pages) }
            try await trial.expectOrder([Sort(\.pages, .descending)], in: shop) { order($1.pages, $0.pages) }
            try await trial.expectOrder([Sort(\.price)], in: shop) { order($0.price, $1.price) }
            try await trial.expectOrder([Sort(\.author, .descending)], in: shop) { order($1.author, $0.author) }
        }.tests("request.17", "request.18"),
        Law(.order, "Instants, days and ids are sorted by their values") { trial in
            let shop = try await trial.bookshop()
            try await trial.expectOrder([Sort(\.printed)], in: shop) { order($0.printed, $1.printed) }
            try await trial.expectOrder([Sort(\.published, .descending)], in: shop) {
                order($1.published, $0.published)
            }
            try await trial.expectOrder([Sort(\.id, .descending)], in: shop) { order($1.id, $0.id) }
        }.tests("request.17", "request.19"),
        Law(.order, "Each further sort orders the entities that are equal under the previous ones") { trial in
            let shop = try await trial.bookshop()
            let sort: [Sort<Book>] = [Sort(\.subtitle, .descending), Sort(\.pages), Sort(\.title, .descending)]
            try await trial.expectOrder(sort, in: shop) { one, other in
                if one.subtitle != other.subtitle {
                    guard let first = one.subtitle, let second = other.subtitle else {
                        return one.subtitle == nil ? 1 : -1
                    }
                    return second.order(first)
                }
                return one.pages == other.pages ? other.title.order(one.title) : order(one.pages, other.pages)
            }
        }.tests("request.2"),
        Law(.order, "Equal entities are in ascending order of their ids, also in a descending order") { trial in
            let books = (0..<40).map { _ in Book(trial.id(), "The same") }
            var chance = Chance(seed: 17)
            for book in books.shuffled(using: &chance) { try await trial.manager.create(book) }
            for direction in [SortDirection.ascending, .descending] {
                let query = Query<Book>(sort: [Sort(\.title, direction)])
                try expect("the order", try await trial.manager.read(query).items.map(\.id), is: books.map(\.id))
            }
        }.tests("request.3", "request.17"),
        Law(.order, "Any order under any condition is that of the interpreter, page by page") { trial in
            let shop = try await trial.bookshop()
            let objects = try shop.books.map { try $0.object }
            var (chance, conditions) = (Chance(seed: 5), RandomConditions(shop))
            let operands: [Operand] = [.id, .linkCount(0), .childCount(0)] + (0..<9).map { .column($0) }
            for _ in 0..<60 {
                let order = (0..<Int.random(in: 0...3, using: &chance)).map { _ in
                    OrderTerm(chance.pick(operands), isDescending: chance.happens(oneIn: 2))
                }
                var request = ReadRequest(
                    BookMapper.schema, where: conditions.next(depth: 1), order: order,
                    limit: Int.random(in: 1...50, using: &chance), includesTotal: chance.happens(oneIn: 2))
                repeat {
                    let expected = request.answer(from: objects)
                    let found = try await trial.store.read(request)
                    try expect("the page", found.items.map(\.id), is: expected.items.map(\.id))
                    try expect("where it ends", found.next, is: expected.next)
                    try expect("the total", found.total, is: expected.total)
                    request.after = found.next
                } while request.after != nil
            }
        }.tests(
            "request.1", "request.2", "request.3", "request.4", "request.7", "request.12", "request.17", "request.18",
            "request.20"),
    ]
}

/// Negative, 0, or positive, as the first value precedes, equals, or follows the second; nil precedes all values.
private func order<Value: Comparable>(_ one: Value?, _ other: Value?) -> Int {
    switch (one, other) {
    case (nil, nil): 0
    case (nil, _): -1
    case (_, nil): 1
    case (let one?, let other?): one < other ? -1 : one == other ? 0 : 1
    }
}

extension String {
    fileprivate func order(_ other: String) -> Int { isBelow(other) ? -1 : other.isBelow(self) ? 1 : 0 }
}

extension Trial {
    /// Fails the law unless a query sorts the books of a shop by a comparison, with ties broken by id.
    fileprivate func expectOrder(
        _ sort: [Sort<Book>], in shop: Bookshop, by order: (Book, Book) -> Int
    ) async throws {
        let found = try await manager.read(Query(sort: sort)).entities
        let expected = shop.books.sorted { one, other in
            let order = order(one, other)
            return order == 0 ? one.id < other.id : order < 0
        }
        try expect("the order", found.map(\.id), is: expected.map(\.id))
    }
}
