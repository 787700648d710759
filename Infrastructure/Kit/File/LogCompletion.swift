internal import LarderData
internal import LarderDomain

/// Fills derived columns that were declared after their roots were written; versions stay as they are.
struct LogCompletion {
    private let schemas: SchemaSet
    /// The positions of the new derived columns, by the names of schemas.
    private var columns: [String: [Int]] = [:]

    /// - Parameter added: What is declared and was not when the log was written.
    init(_ schemas: SchemaSet, added: [SchemaItem]) {
        self.schemas = schemas
        for item in added where item.kind == .column {
            guard let schema = schemas[item.entity], let index = schema.index(ofColumn: item.name) else { continue }
            if schema.columns[index].isDerived { columns[item.entity, default: []].append(index) }
        }
    }

    /// The state with all of them filled.
    ///
    /// - Throws: `incompatible` when a root does not become an entity, or two would share a value that is unique.
    func completed(_ state: StoreState) throws(PersistencyError) -> StoreState {
        if columns.isEmpty { return state }
        var completed = StoreState(schemas: schemas, sequence: state.sequence)
        for schema in schemas.roots {
            let derivation = needsDerivation(schema) ? schemas.derivation(of: schema) : nil
            for chunk in state.tables[schema.name]?.chunks ?? [] {
                for root in chunk {
                    do throws(PersistencyError) {
                        guard let derivation else {
                            try completed.restore(root)
                            continue
                        }
                        try completed.restore(try filled(root, from: derivation(root)))
                    } catch {
                        throw .incompatible("a new derived column of \(schema.name) cannot be filled: \(error)")
                    }
                }
            }
        }
        return completed
    }

    private func needsDerivation(_ schema: EntitySchema) -> Bool {
        columns[schema.name] != nil || schema.children.contains { needsDerivation($0.schema) }
    }

    private func filled(_ old: StorageObject, from new: StorageObject) throws(PersistencyError) -> StorageObject {
        guard new.id == old.id, new.values.count == old.values.count,
            new.children.map(\.count) == old.children.map(\.count)
        else { throw .incompatible("\(old.reference) is mapped to something else than it was read from") }
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
