/// A value of a row, independent of the kit.
enum PlainValue: Hashable, Sendable {
    case missing
    case integer(Int64)
    case real(Double)
    /// A number of units, and the digits after the point; those of the column in a row.
    case decimal(Int64, scale: Int)
    case text(Spelling)
    case flag(Bool)
    /// Microseconds since 1970.
    case instant(Int64)
    case day(year: Int, month: Int, day: Int)
    case bytes([UInt8])
    case id(UInt64, UInt64)
}

extension PlainValue: CustomStringConvertible {
    var description: String {
        switch self {
        case .missing: "nil"
        case .integer(let integer): "\(integer)"
        case .real(let real): "\(real)"
        case .decimal(let units, let scale): "\(units)e-\(scale)"
        case .text(let text): "\(text)"
        case .flag(let flag): "\(flag)"
        case .instant(let microseconds): "instant \(microseconds)"
        case .day(let year, let month, let day): "\(year)-\(month)-\(day)"
        case .bytes(let bytes): "\(bytes)"
        case .id(let high, let low): "id \(high),\(low)"
        }
    }
}

/// The text as entered, with the bytes of its canonical composition written by hand. Comparisons use these bytes.
struct Spelling: Hashable, Sendable, CustomStringConvertible {
    let typed: String
    let bytes: [UInt8]

    init(_ typed: String, composed: String? = nil) {
        self.typed = typed
        bytes = Array((composed ?? typed).utf8)
    }

    /// The canonical composition.
    var composed: String { String(decoding: bytes, as: UTF8.self) }

    var description: String {
        let scalars = typed.unicodeScalars.map { $0.isASCII && $0.value > 31 ? "\($0)" : $0.escaped(asASCII: true) }
        return "\"" + scalars.joined() + "\""
    }

    static func == (lhs: Spelling, rhs: Spelling) -> Bool { lhs.bytes == rhs.bytes }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// The kind of a property's values.
enum PlainKind: String, CaseIterable, Sendable {
    case integer, real, decimal, text, flag, instant, day, bytes, id

    /// Whether Swift orders values of this kind, so that a `Predicate` can compare them.
    var isOrdered: Bool { self != .flag && self != .bytes }

    /// Whether the kind is numeric, and can be calculated with any number of it.
    var isNumber: Bool { self == .integer || self == .real }
}

/// The properties of specimens that queries use, in the order of their columns; the id is last.
enum Property: Int, CaseIterable, Sendable {
    case integer, real, text, flag, instant, day, bytes
    case maybeInteger, maybeReal, maybeText, maybeFlag, maybeInstant, maybeDay, maybeBytes, maybeID, maybeDecimal
    case decimal
    case id

    var kind: PlainKind {
        switch self {
        case .integer, .maybeInteger: .integer
        case .real, .maybeReal: .real
        case .decimal, .maybeDecimal: .decimal
        case .text, .maybeText: .text
        case .flag, .maybeFlag: .flag
        case .instant, .maybeInstant: .instant
        case .day, .maybeDay: .day
        case .bytes, .maybeBytes: .bytes
        case .id, .maybeID: .id
        }
    }

    var isOptional: Bool { (Property.maybeInteger.rawValue...Property.maybeDecimal.rawValue).contains(rawValue) }

    /// The property of a kind.
    static func of(_ kind: PlainKind, optional: Bool) -> Property {
        allCases.first { $0.kind == kind && $0.isOptional == optional } ?? .id
    }
}

/// A row: one value for each property.
struct PlainRow: Sendable {
    let values: [PlainValue]

    subscript(property: Property) -> PlainValue { values[property.rawValue] }
}
