public import LarderDomain

/// A type with one JSON representation.
public protocol JSONConvertible {
    /// The representation.
    var json: JSON { get }
}

extension JSON {
    /// An object without the members that are `nil`, sorted by name.
    public static func sorted(_ members: [String: (any JSONConvertible)?]) -> JSON {
        .object(
            members.compactMap { name, value in value.map { Member(name, $0.json) } }.sorted { $0.name < $1.name })
    }
}

extension JSON: JSONConvertible { public var json: JSON { self } }
extension Bool: JSONConvertible { public var json: JSON { .bool(self) } }
extension Int: JSONConvertible { public var json: JSON { .integer(Int64(self)) } }
extension Int64: JSONConvertible { public var json: JSON { .integer(self) } }
extension Double: JSONConvertible { public var json: JSON { Int64(exactly: self).map(JSON.integer) ?? .number(self) } }
extension ExactDecimal: JSONConvertible { public var json: JSON { .decimal(self) } }
extension String: JSONConvertible { public var json: JSON { .string(self) } }
extension Array: JSONConvertible where Element: JSONConvertible { public var json: JSON { .array(map(\.json)) } }
extension EntityID: JSONConvertible { public var json: JSON { .string(description) } }
extension CalendarDay: JSONConvertible { public var json: JSON { .string(description) } }
extension Timestamp: JSONConvertible { public var json: JSON { .string(description) } }
