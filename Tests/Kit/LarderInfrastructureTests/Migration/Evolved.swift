import LarderData
import LarderDomain

@testable import LarderInfrastructure

/// Data of an earlier version, and its form after a migration.
struct Evolved: Sendable {
    let name: String
    let old: SchemaSet
    let new: SchemaSet
    /// The roots at the earlier version.
    let objects: [StorageObject]
    /// The roots after the migration, as ``Evolved/lines(_:)`` writes them.
    let expected: [String]

    /// The roots as lines, sorted. Ids with numbers are written as `#1`; an id that a step has created is written as the
    /// first value of its object.
    static func lines(_ roots: [StorageObject]) -> [String] {
        var labels: [RawID: String] = [:]
        for root in roots where root.id.high != 0x0190 { labels[root.id] = "\(root.schema.name) \(root.values[0])" }
        func text(_ id: RawID) -> String { id.high == 0x0190 ? "#\(id.low)" : "<\(labels[id] ?? "?")>" }
        func text(_ object: StorageObject) -> String {
            let values = zip(object.schema.columns, object.values).map { column, value in
                if case .id(let id) = value { "\(column.name)=\(text(id))" } else { "\(column.name)=\(value)" }
            }
            let links = zip(object.schema.links, object.links).map {
                "\($0.name)=[\($1.map(text).joined(separator: " "))]"
            }
            let children = zip(object.schema.children, object.children).map { list, objects in
                "\(list.name)=[\(objects.map(text).joined(separator: " "))]"
            }
            return "\(object.schema.name) \(text(object.id)) \((values + links + children).joined(separator: " "))"
        }
        return roots.map { "\(text($0)) @\($0.version)" }.sorted()
    }
}

extension Store {
    /// All roots of the store's schemas.
    func everything() async throws -> [StorageObject] {
        var found: [StorageObject] = []
        for schema in schemas.roots { found += try await read(ReadRequest(schema)).items }
        return found
    }
}
