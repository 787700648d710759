internal import LarderData
internal import LarderDomain

/// Some values of a book, and the sizes of its lists.
struct BookLine: ReadModel, Equatable {
    typealias Source = Book

    let id: EntityID<Book>
    let title: String
    let published: CalendarDay?
    let chapters: Int
    let genres: Int
}

enum BookLineMapper: ReadModelMapper {
    static let mapping = ReadModelMapping<Book>([
        .column(\.title), .column(\.published), .count(\.chapters), .count(\.genres),
    ])

    static func model(from row: inout ObjectReader) throws -> BookLine {
        try BookLine(
            id: row.id(), title: row.next(), published: row.next(), chapters: row.next(),
            genres: row.next())
    }
}

/// Value objects, a folded text and a decimal of a venue.
struct VenueLine: ReadModel, Equatable {
    typealias Source = Venue

    let id: EntityID<Venue>
    let foldedName: String
    let place: Location
    let branch: Location?
    let season: Season?
    let fee: Money?
    let city: String
    let halls: Int
    let seats: Int
}

enum VenueLineMapper: ReadModelMapper {
    static let mapping = ReadModelMapping<Venue>([
        .column(\.name.folded), .value(\.place, LocationMapper.self), .value(\.branch, LocationMapper.self),
        .value(\.season, SeasonMapper.self), .value(\.fee, MoneyMapper.self), .column(\.place.city),
        .count(\.halls), .sum(\.halls, \.seats),
    ])

    static func model(from row: inout ObjectReader) throws -> VenueLine {
        try VenueLine(
            id: row.id(), foldedName: row.next(), place: row.value(LocationMapper.self),
            branch: row.valueIfPresent(LocationMapper.self), season: row.valueIfPresent(SeasonMapper.self),
            fee: row.valueIfPresent(MoneyMapper.self), city: row.next(), halls: row.next(), seats: row.next())
    }
}

/// A letter without its body.
struct LetterLine: ReadModel {
    typealias Source = Letter

    let id: EntityID<Letter>
    let subject: String
}

enum LetterLineMapper: ReadModelMapper {
    static let mapping = ReadModelMapping<Letter>([.column(\.subject)])

    static func model(from row: inout ObjectReader) throws -> LetterLine {
        try LetterLine(id: row.id(), subject: row.next())
    }
}
