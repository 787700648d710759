#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderDomain

extension SelfChecks {
    /// Checks a random query of books with conditions on other entities.
    mutating func checkBooks(_ manager: any PersistencyManager) async throws {
        let (one, other, name) = (chance.relatedBook(), chance.relatedBook(), chance.authorName())
        let sort = chance.pick([[], [Sort(\Book.title)], [Sort(\.pages, .descending), Sort(\.price)]])
        let query = Query(related: [one, other], sort: sort, includesTotal: chance.happens(oneIn: 2))
        func asking(_ related: [Related<Book>]) -> Query<Book> {
            var other = query
            other.related = related
            return other
        }
        let byAuthors = [Query<Author>(#Predicate { $0.name < name }), Query(#Predicate { !($0.name < name) })]
        let partitions = [
            [asking([.not(one)]), asking([one, .not(other)]), query],
            byAuthors.map { asking([.to(\.author, $0)]) } + [asking([]).and(#Predicate { $0.author == nil })],
        ]
        let list = try await checkList(query, of: asking([]), partitions, manager) { ids in
            let ids = ids.map(EntityID<Book>.init)
            return query.and(#Predicate { ids.contains($0.id) })
        }
        try await expectStream(query, list, manager)
        let counts = list.flatMap(\.genres).reduce(into: [:]) { $0[$1, default: 0] += 1 }
        try expect("the counts", try await manager.counts(query, by: .members(\.genres)), is: counts)
        let figures = try await manager.aggregates(query, of: .count, .minimum(\.pages), .maximum(\.printed))
        try expect("the number", figures.map(\.values.0), is: [list.count])
        try expect("the minimum", figures.map(\.values.1), is: [list.compactMap(\.pages).min()])
        try expect("the maximum", figures.map(\.values.2), is: [list.map(\.printed).max()])
        count += 1
    }
}

extension Chance {
    /// The name of an author of the bookshop, or of none.
    fileprivate mutating func authorName() -> String { "Author \(Int.random(in: 0...4, using: &self))" }

    /// A condition on entities to which a book refers, or which refer to it, in up to three levels.
    fileprivate mutating func relatedBook(levels: Int = 3) -> Related<Book> {
        let related: Related<Book>
        switch Int.random(in: 0..<(levels > 1 ? 5 : 3), using: &self) {
        case 0:
            let name = authorName()
            related = .to(\.author, Query(#Predicate { $0.name <= name }))
        case 1:
            let name = "Genre \(Int.random(in: 0...4, using: &self))"
            related = .to(\.genres, Query(#Predicate { $0.name == name }))
        case 2:
            let stars = Int.random(in: 0...5, using: &self)
            related = .from(\Review.book, Query(#Predicate { $0.stars > stars }))
        case 3: related = .to(\.sequel, books(levels: levels - 1))
        default: related = .from(\Book.sequel, books(levels: levels - 1))
        }
        return happens(oneIn: 3) ? .not(related) : related
    }

    private mutating func books(levels: Int) -> Query<Book> {
        let pages = pick(Bookshop.pages.compactMap(\.self))
        let related = happens(oneIn: 2) ? [relatedBook(levels: levels)] : []
        return happens(oneIn: 2)
            ? Query(#Predicate { $0.inPrint }, related: related)
            : Query(#Predicate { ($0.pages ?? 1) < pages }, related: related)
    }
}
