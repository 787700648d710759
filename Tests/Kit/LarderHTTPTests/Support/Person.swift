import LarderData
import LarderDomain
import LarderHTTP

/// A person who has tokens and is changed by requests.
struct Person: Entity {
    let id: EntityID<Person>
    let name: String
}

enum PersonMapper: EntityMapper {
    static let mapping = Mapping<Person>("person", id: \.id, [.column("name", \.name).unique])

    static func entity(from row: inout ObjectReader) throws -> Person { try Person(id: row.id(), name: row.next()) }
}

enum PersonTokenMapper: EntityMapper {
    static let mapping = AccessToken.mapping(subject: "person")

    static func entity(from row: inout ObjectReader) throws -> AccessToken { try AccessToken(from: &row) }
}
