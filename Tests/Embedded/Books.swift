import Foundation
import LarderData
import LarderDomain

/// A book. The domain knows neither the store nor JSON.
struct Book: Entity {
    let id: EntityID<Book>
    var title: String
    var year: Int
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
        try Book(id: row.id(), title: row.next(), year: row.next())
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
