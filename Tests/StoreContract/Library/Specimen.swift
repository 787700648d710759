internal import LarderData
internal import LarderDomain

/// One value of every type, and one optional value of every type.
struct Specimen: Entity {
    let id: EntityID<Specimen>
    var integer: Int64 = 0
    var real = 0.0
    var text = ""
    var flag = false
    var instant = Timestamp(microseconds: 0)
    var day: CalendarDay
    var bytes: [UInt8] = []
    var maybeInteger: Int64?
    var maybeReal: Double?
    var maybeText: String?
    var maybeFlag: Bool?
    var maybeInstant: Timestamp?
    var maybeDay: CalendarDay?
    var maybeBytes: [UInt8]?
    var maybeID: RawID?
    var maybeDecimal: ExactDecimal?
    var decimal: ExactDecimal = 0
}

enum SpecimenMapper: EntityMapper {
    /// The digits after the point of the decimals.
    static let decimalScale = 2

    static let mapping = Mapping<Specimen>(
        "specimen", id: \.id,
        [
            .column("integer", \.integer), .column("real", \.real), .column("text", \.text), .column("flag", \.flag),
            .column("instant", \.instant), .column("day", \.day), .column("bytes", \.bytes),
            .column("maybe_integer", \.maybeInteger), .column("maybe_real", \.maybeReal),
            .column("maybe_text", \.maybeText), .column("maybe_flag", \.maybeFlag),
            .column("maybe_instant", \.maybeInstant), .column("maybe_day", \.maybeDay),
            .column("maybe_bytes", \.maybeBytes), .column("maybe_id", \.maybeID),
            .decimal("maybe_decimal", \.maybeDecimal, scale: decimalScale),
            .decimal("decimal", \.decimal, scale: decimalScale),
        ])

    static func entity(from row: inout ObjectReader) throws -> Specimen {
        try Specimen(
            id: row.id(), integer: row.next(), real: row.next(), text: row.next(), flag: row.next(),
            instant: row.next(), day: row.next(), bytes: row.next(), maybeInteger: row.next(), maybeReal: row.next(),
            maybeText: row.next(), maybeFlag: row.next(), maybeInstant: row.next(), maybeDay: row.next(),
            maybeBytes: row.next(), maybeID: row.next(), maybeDecimal: row.decimal(),
            decimal: row.decimal())
    }
}
