import LarderData
import LarderDomain

/// The content of one object, with a value for each column that any release has.
struct HistoricalFacts {
    let id: RawID
    var version: Int64 = 0
    /// The values by the names of columns. A missing value of a nullable column is `null`.
    var values: [String: Value]
    var lists: [String: [HistoricalFacts]] = [:]
    var links: [String: [RawID]] = [:]

    struct Missing: Error { let column: String }

    /// The object in the schema of a release.
    func object(_ schema: EntitySchema) throws -> StorageObject {
        StorageObject(
            schema: schema, id: id, version: version,
            values: try schema.columns.map { column in
                let value = values[column.name] ?? .null
                guard column.isNullable && value == .null || column.type.accepts(value) else {
                    throw Missing(column: "\(schema.name).\(column.name)")
                }
                return value
            },
            children: try schema.children.map { list in
                try (lists[list.name] ?? []).map { try $0.object(list.schema) }
            }, links: schema.links.map { links[$0.name] ?? [] })
    }
}

extension Value {
    static func text(_ text: String?) -> Value { text.map { .text($0 as String) } ?? .null }
    static func integer(_ integer: Int?) -> Value { integer.map { .integer(Int64($0)) } ?? .null }
    static func id(_ id: RawID?) -> Value { id.map { .id($0 as RawID) } ?? .null }
}
