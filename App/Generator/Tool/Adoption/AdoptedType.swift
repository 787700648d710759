import Foundation

/// The type of a field for that of a column.
enum AdoptedType: Equatable {
    /// As `make entity` names it: `Int`, `Decimal(2)`.
    case field(String)
    /// A text, although the database checks the values.
    case text(String)
    case unsupported(String)

    /// - Parameter isSQLite: Whether a number without scale is a binary fraction, and not an exact one of any length.
    init(_ column: SourceColumn, isSQLite: Bool) {
        let declared = column.type.lowercased()
        let name = String(declared.prefix { $0 != "(" }).trimmingCharacters(in: .whitespaces)
        let numbers = declared.firstMatch(of: /\((\d+)(?:, ?(\d+))?\)/)
        if column.cases != nil { self = .field("String"); return }
        if declared.hasSuffix("[]") { self = .unsupported("an array"); return }
        switch name {
        case "": self = .unsupported("no type")
        case "bool", "boolean": self = .field("Bool")
        case "date": self = .field("Day")
        case "datetime", "timestamp", "timestamptz": self = .field("Instant")
        case "decimal", "numeric", "dec":
            let scale = numbers.map { Int($0.2 ?? "0") ?? 10 }
            if let scale, scale <= 9 {
                self = .field("Decimal(\(scale))")
            } else {
                self = isSQLite ? .field("Double") : .text("a number without scale")
            }
        case "bytea", "blob", "binary", "varbinary": self = .field("Bytes")
        case "real", "float", "double", "double precision", "float8", "float4": self = .field("Double")
        case "uuid", "json", "jsonb", "time", "timetz", "interval", "inet", "cidr", "macaddr", "money", "xml", "year":
            self = .text(name)
        case "text", "citext", "char", "character", "bpchar", "nchar", "clob", "string", "name": self = .field("String")
        case _ where name.contains("char"): self = .field("String")
        case _ where name.hasPrefix("timestamp "): self = .field("Instant")
        case _ where name.hasPrefix("time "): self = .text("time")
        case _ where declared.hasPrefix("timestamp("): self = .field("Instant")
        case "int", "integer", "tinyint", "smallint", "mediumint", "bigint", "int2", "int4", "int8", "serial",
            "bigserial",
            "unsigned big int", "int unsigned", "bigint unsigned":
            self = .field("Int")
        default: self = .unsupported("the type \(column.type)")
        }
    }

    /// The type's name; `nil` if there is none.
    var name: String? {
        switch self {
        case .field(let name): name
        case .text: "String"
        case .unsupported: nil
        }
    }

    /// Whether a unique column alone can have it.
    var canBeUnique: Bool { name.map { $0 == "String" || $0 == "Int" || $0.hasPrefix("Decimal") } ?? false }

    /// Whether its texts identify a row.
    var canBeKey: Bool { name.map { $0 != "Double" && $0 != "Bytes" } ?? false }
}
