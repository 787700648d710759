internal import LarderData
internal import LarderDomain

/// An entity with value objects and folded texts.
struct Venue: Entity {
    let id: EntityID<Venue>
    var name: String
    var motto: String?
    var place: Location
    var branch: Location?
    var season: Season?
    var fee: Money?
    var halls: [Hall] = []
}

/// Owned by a venue.
struct Hall: Entity {
    let id: EntityID<Hall>
    var seats: Int
}

/// A value object with a nested one.
struct Location: Hashable {
    let street: String
    let city: String
    let position: Position?

    struct Position: Hashable {
        let latitude: Int
        let longitude: Int
    }

    init(street: String = "", city: String, position: Position? = nil) throws(InvalidField) {
        if city.isEmpty { throw InvalidField(entity: "place", field: "city", reason: "must not be empty") }
        (self.street, self.city, self.position) = (street, city, position)
    }
}

/// A value object whose members are all optional.
struct Season: Hashable {
    var first: CalendarDay?
    var last: CalendarDay?
}

/// A value object with an exact decimal.
struct Money: Hashable {
    var amount: ExactDecimal
    var currency: String
}

enum VenueMapper: EntityMapper {
    static let mapping = Mapping<Venue>(
        "venue", id: \.id,
        [
            .column("name", \.name).settable.folded.unique,
            .column("motto", \.motto).folded.indexed,
            .value("place", \.place, LocationMapper.self),
            .value("branch", \.branch, LocationMapper.self),
            .value("season", \.season, SeasonMapper.self),
            .value("fee", \.fee, MoneyMapper.self).unique, .children("halls", \.halls, HallMapper.self),
        ], indexed: [["place_city_folded"]])

    static var readModels: [any ReadModelMapper.Type] { [VenueLineMapper.self] }

    static func entity(from row: inout ObjectReader) throws -> Venue {
        try Venue(
            id: row.id(), name: row.next(), motto: row.next(), place: row.value(LocationMapper.self),
            branch: row.valueIfPresent(LocationMapper.self), season: row.valueIfPresent(SeasonMapper.self),
            fee: row.valueIfPresent(MoneyMapper.self), halls: row.children(HallMapper.self))
    }
}

enum HallMapper: EntityMapper {
    static let mapping = Mapping<Hall>("hall", id: \.id, [.column("seats", \.seats)])

    static func entity(from row: inout ObjectReader) throws -> Hall {
        try Hall(id: row.id(), seats: row.next())
    }
}

enum LocationMapper: ValueMapper {
    static let mapping = ValueMapping<Location>([
        .column("street", \.street), .column("city", \.city).folded,
        .value("position", \.position, PositionMapper.self),
    ])

    static func value(from row: inout ObjectReader) throws -> Location {
        try Location(street: row.next(), city: row.next(), position: row.valueIfPresent(PositionMapper.self))
    }
}

enum PositionMapper: ValueMapper {
    static let mapping = ValueMapping<Location.Position>([
        .column("latitude", \.latitude), .column("longitude", \.longitude),
    ])

    static func value(from row: inout ObjectReader) throws -> Location.Position {
        try Location.Position(latitude: row.next(), longitude: row.next())
    }
}

enum SeasonMapper: ValueMapper {
    static let mapping = ValueMapping<Season>([.column("first", \.first), .column("last", \.last)])

    static func value(from row: inout ObjectReader) throws -> Season {
        try Season(first: row.next(), last: row.next())
    }
}

enum MoneyMapper: ValueMapper {
    static let mapping = ValueMapping<Money>([
        .decimal("amount", \.amount, scale: 2), .column("currency", \.currency),
    ])

    static func value(from row: inout ObjectReader) throws -> Money {
        try Money(amount: row.decimal(), currency: row.next())
    }
}
