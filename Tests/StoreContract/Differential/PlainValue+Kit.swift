internal import LarderData
internal import LarderDomain

/// The type of a specimen property, with a conversion from a plain value.
protocol Askable: Hashable, Sendable, Codable {
    init?(plain: PlainValue)
    /// The non-optional property of this type, if there is one.
    static var path: SpecimenPath<Self>? { get }
    /// The optional property of this type, if there is one.
    static var optionalPath: SpecimenPath<Self?>? { get }
}

typealias SpecimenPath<V> = any KeyPath<Specimen, V> & Sendable

extension Int64: Askable {
    static var path: SpecimenPath<Self>? { \Specimen.integer }
    static var optionalPath: SpecimenPath<Self?>? { \Specimen.maybeInteger }

    init?(plain: PlainValue) {
        guard case .integer(let integer) = plain else { return nil }
        self = integer
    }
}

extension Double: Askable {
    static var path: SpecimenPath<Self>? { \Specimen.real }
    static var optionalPath: SpecimenPath<Self?>? { \Specimen.maybeReal }

    init?(plain: PlainValue) {
        guard case .real(let real) = plain else { return nil }
        self = real
    }
}

extension ExactDecimal: Askable {
    static var path: SpecimenPath<Self>? { \Specimen.decimal }
    static var optionalPath: SpecimenPath<Self?>? { \Specimen.maybeDecimal }

    init?(plain: PlainValue) {
        guard case .decimal(let units, let scale) = plain else { return nil }
        self.init(units: units, scale: scale)
    }
}

extension String: Askable {
    static var path: SpecimenPath<Self>? { \Specimen.text }
    static var optionalPath: SpecimenPath<Self?>? { \Specimen.maybeText }

    init?(plain: PlainValue) {
        guard case .text(let text) = plain else { return nil }
        self = text.typed
    }
}

extension Bool: Askable {
    static var path: SpecimenPath<Self>? { \Specimen.flag }
    static var optionalPath: SpecimenPath<Self?>? { \Specimen.maybeFlag }

    init?(plain: PlainValue) {
        guard case .flag(let flag) = plain else { return nil }
        self = flag
    }
}

extension Timestamp: Askable {
    static var path: SpecimenPath<Self>? { \Specimen.instant }
    static var optionalPath: SpecimenPath<Self?>? { \Specimen.maybeInstant }

    init?(plain: PlainValue) {
        guard case .instant(let microseconds) = plain else { return nil }
        self.init(microseconds: microseconds)
    }
}

extension CalendarDay: Askable {
    static var path: SpecimenPath<Self>? { \Specimen.day }
    static var optionalPath: SpecimenPath<Self?>? { \Specimen.maybeDay }

    init?(plain: PlainValue) {
        guard case .day(let year, let month, let day) = plain else { return nil }
        self.init(year: year, month: month, day: day)
    }
}

extension [UInt8]: Askable {
    static var path: SpecimenPath<Self>? { \Specimen.bytes }
    static var optionalPath: SpecimenPath<Self?>? { \Specimen.maybeBytes }

    init?(plain: PlainValue) {
        guard case .bytes(let bytes) = plain else { return nil }
        self = bytes
    }
}

extension RawID: Askable {
    static var path: SpecimenPath<Self>? { nil }
    static var optionalPath: SpecimenPath<Self?>? { \Specimen.maybeID }

    init?(plain: PlainValue) {
        guard case .id(let high, let low) = plain else { return nil }
        self.init(high: high, low: low)
    }
}

extension EntityID<Specimen>: Askable {
    static var path: SpecimenPath<Self>? { \Specimen.id }
    static var optionalPath: SpecimenPath<Self?>? { nil }

    init?(plain: PlainValue) {
        guard let id = RawID(plain: plain) else { return nil }
        self.init(id)
    }
}

extension PlainRow {
    /// The row as an entity.
    func specimen() throws -> Specimen {
        func value<V: Askable>(_ property: Property) throws -> V {
            guard let value = V(plain: self[property]) else { throw LawBroken("no \(property): \(self[property])") }
            return value
        }
        return try Specimen(
            id: value(.id), integer: value(.integer), real: value(.real), text: value(.text), flag: value(.flag),
            instant: value(.instant), day: value(.day), bytes: value(.bytes),
            maybeInteger: .init(plain: self[.maybeInteger]), maybeReal: .init(plain: self[.maybeReal]),
            maybeText: .init(plain: self[.maybeText]), maybeFlag: .init(plain: self[.maybeFlag]),
            maybeInstant: .init(plain: self[.maybeInstant]), maybeDay: .init(plain: self[.maybeDay]),
            maybeBytes: .init(plain: self[.maybeBytes]), maybeID: .init(plain: self[.maybeID]),
            maybeDecimal: .init(plain: self[.maybeDecimal]), decimal: value(.decimal))
    }

    /// The row as a storage object.
    func object() throws -> StorageObject {
        let values = try Property.allCases.dropLast().map { try Value(self[$0]) }
        guard let id = RawID(plain: self[.id]) else { throw LawBroken("no id: \(self[.id])") }
        return StorageObject(schema: SpecimenMapper.schema, id: id, version: 1, values: values)
    }
}

/// A decimal of another scale than the column's: only predicates have these.
struct OnlyInPredicates: Error {}

extension Value {
    /// A plain value as a stored value.
    ///
    /// - Throws: `OnlyInPredicates`.
    init(_ plain: PlainValue) throws {
        switch plain {
        case .missing: self = .null
        case .integer(let integer), .instant(let integer): self = .integer(integer)
        case .real(let real): self = .real(real == 0 ? 0 : real)
        case .decimal(let units, let scale):
            if scale != SpecimenMapper.decimalScale { throw OnlyInPredicates() }
            self = .integer(units)
        case .text(let text): self = .text(text.composed)
        case .flag(let flag): self = .integer(flag ? 1 : 0)
        case .day: self = .text(CalendarDay(plain: plain)?.description ?? "")
        case .bytes(let bytes): self = .blob(bytes)
        case .id(let high, let low): self = .id(RawID(high: high, low: low))
        }
    }
}
