import LarderData
import LarderDomain

/// An entity with a derived column, a unique one, references, links, and owned objects.
struct Crate: Entity {
    let id: EntityID<Crate>
    var name: String
    var code: String?
    var inside: EntityID<Crate>?
    var owners: [EntityID<Person>] = []
    var bottles: [Bottle] = []
}

struct Bottle: Entity {
    let id: EntityID<Bottle>
    var filler: EntityID<Person>?
}

enum CrateMapper: EntityMapper {
    static let mapping = Mapping<Crate>(
        "crate", id: \.id,
        [
            .column("name", \.name),
            .derived("folded_name", \.foldedName),
            .column("code", \.code).unique,
            .reference("inside", \.inside, onDelete: .remove),
            .children("bottles", \.bottles, BottleMapper.self),
            .links("owners", \.owners, onDelete: .remove),
        ])

    static func entity(from row: inout ObjectReader) throws -> Crate {
        var crate = Crate(id: row.id(), name: try row.next())
        (crate.code, crate.inside) = (try row.next(), try row.next())
        crate.bottles = try row.children(BottleMapper.self)
        crate.owners = try row.links()
        return crate
    }
}

enum BottleMapper: EntityMapper {
    static let mapping = Mapping<Bottle>(
        "bottle", id: \.id, [.reference("filler", \.filler, onDelete: .remove)])

    static func entity(from row: inout ObjectReader) throws -> Bottle { Bottle(id: row.id(), filler: try row.next()) }
}

extension Crate {
    var foldedName: String { name.lowercased() }
}

/// The owner of crates.
struct Person: Entity {
    let id: EntityID<Person>
    let name: String
}

enum PersonMapper: EntityMapper {
    static let mapping = Mapping<Person>("person", id: \.id, [.column("name", \.name).unique])

    static func entity(from row: inout ObjectReader) throws -> Person { try Person(id: row.id(), name: row.next()) }
}
