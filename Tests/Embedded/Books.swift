import Foundation
import LarderData
import LarderDomain

/// A book. The domain knows neither the store nor JSON.
struct Book: Entity {
    let id: EntityID<Book>
    let title: String
    let year: Int

    init(id: EntityID<Book>, title: String, year: Int, limits: TextLimits = .current) throws(InvalidField) {
        (self.id, self.year) = (id, year)
        self.title = try FieldCheck(Book.self, limits).text(title, "title", atMost: 200)
    }
}

/// Stores books. The schema, and with it the table, follows from the mapping.
enum BookMapper: EntityMapper {
    static let mapping = Mapping<Book>(
        "book", id: \.id,
        [
            .column("title", \.title).indexed,
            .column("year", \.year),
        ])

    static func entity(from row: inout ObjectReader) throws -> Book {
        try Book(id: row.id(), title: row.next(), year: row.next(), limits: .stored)
    }
}

/// The books, with the domain's queries.
struct Books: EntityRepository {
    typealias Model = Book

    let manager: any PersistencyManager

    func published(before year: Int) async throws(PersistencyError) -> [Stored<Book>] {
        try await read(Query(#Predicate { $0.year < year }, sort: [Sort(\.year)], limit: 100)).items
    }
}
