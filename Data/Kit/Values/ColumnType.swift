internal import LarderDomain

/// The type of a column, with the ``Value`` case that represents it.
public enum ColumnType: String, Hashable, Sendable {
    /// `integer`.
    case integer
    /// `integer`, 0 or 1.
    case boolean
    /// `integer`, microseconds since 1970.
    case timestamp
    /// `real`.
    case real
    /// `text`.
    case text
    /// `text`, a calendar day as `2026-11-20`.
    case day
    /// `blob`.
    case blob
    /// `id`.
    case id

    /// Whether a value is of this type; false for `null`.
    public func accepts(_ value: Value) -> Bool {
        switch (self, value) {
        case (.integer, .integer), (.boolean, .integer), (.timestamp, .integer), (.real, .real), (.text, .text),
            (.day, .text), (.blob, .blob), (.id, .id):
            true
        default: false
        }
    }

    /// The name of the type in records and messages: `text`, or `decimal(2)` for integers with a scale.
    package static func name(_ type: ColumnType, scale: Int?) -> String {
        scale.map { "decimal(\($0))" } ?? type.rawValue
    }

    /// The type with a name, and its scale.
    package static func named(_ name: String) -> (type: ColumnType, scale: Int?)? {
        if let type = ColumnType(rawValue: name) { return (type, nil) }
        let scale = (0...ExactDecimal.maximumScale).first { self.name(.integer, scale: $0) == name }
        return scale.map { (.integer, $0) }
    }

    /// The former name of ``accepts(_:)``.
    @available(*, deprecated, renamed: "accepts(_:)")
    public func holds(_ value: Value) -> Bool { accepts(value) }
}
