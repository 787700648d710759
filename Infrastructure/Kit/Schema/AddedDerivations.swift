internal import LarderData
internal import LarderDomain

/// Computes derived columns that were declared after their roots were stored. Versions do not change.
struct AddedDerivations {
    let schemas: SchemaSet
    /// The indexes of the added derived columns, by the name of the schema.
    private var columns: [String: [Int]] = [:]

    /// - Parameter added: The difference between the declared and the recorded schemas; see `additions(to:)`.
    init(_ schemas: SchemaSet, added: [SchemaItem]) {
        self.schemas = schemas
        // A new schema has no objects yet.
        let entities = Set(added.filter { $0.kind == .entity }.map(\.entity))
        for item in added where item.kind == .column && !entities.contains(item.entity) {
            guard let schema = schemas[item.entity], let index = schema.index(ofColumn: item.name) else { continue }
            if schema.columns[index].isDerived { columns[item.entity, default: []].append(index) }
        }
    }

    var isEmpty: Bool { columns.isEmpty }

    /// Whether a schema or an owned schema has an added derived column.
    func concern(_ schema: EntitySchema) -> Bool {
        columns[schema.name] != nil || schema.children.contains { concern($0.schema) }
    }

    /// A root with the added derived columns, including those of owned objects, computed. Throws `incompatible` if the
    /// root cannot be mapped.
    func filled(_ root: StorageObject) throws(PersistencyError) -> StorageObject {
        guard concern(root.schema), let derivation = schemas.derivation(of: root.schema) else { return root }
        do throws(PersistencyError) {
            return try filled(root, from: derivation(root))
        } catch {
            throw .incompatible("a new derived column of \(root.schema.name) cannot be computed: \(error)")
        }
    }

    private func filled(_ old: StorageObject, from new: StorageObject) throws(PersistencyError) -> StorageObject {
        guard new.id == old.id, new.values.count == old.schema.columns.count,
            new.children.map(\.count) == old.children.map(\.count)
        else { throw .incompatible("\(old.reference) does not map to the object that it was read from") }
        var filled = old
        for column in columns[old.schema.name] ?? [] { filled.values[column] = new.values[column] }
        for list in old.children.indices {
            for index in old.children[list].indices {
                filled.children[list][index] = try self.filled(
                    old.children[list][index], from: new.children[list][index])
            }
        }
        return filled
    }
}
