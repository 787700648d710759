import LarderData

/// The schemas of one release, which can be changed by the names of entities.
struct SchemaRelease {
    private(set) var roots: [EntitySchema]

    /// Changes the schema of an entity, root or owned.
    mutating func change(_ entity: String, _ body: (inout SchemaEdit) -> Void) {
        changeAll { edit in if edit.name == entity { body(&edit) } }
    }

    /// Renames an entity, and the references to it.
    mutating func rename(_ entity: String, to name: String) {
        changeAll { edit in
            if edit.name == entity { edit.rename(to: name) }
            edit.retarget(entity, to: name)
        }
    }

    mutating func remove(_ names: String...) { roots.removeAll { names.contains($0.name) } }

    mutating func add(_ schema: EntitySchema) { roots.append(schema) }

    /// The schemas with hints, by the names of entities.
    func hinted(_ hints: [String: SchemaHints]) -> [EntitySchema] {
        func hinted(_ schema: EntitySchema) -> EntitySchema {
            var edit = SchemaEdit(schema)
            edit.changeOwned(hinted)
            return edit.schema(hints[schema.name])
        }
        return roots.map(hinted)
    }

    private mutating func changeAll(_ body: (inout SchemaEdit) -> Void) {
        func changed(_ schema: EntitySchema) -> EntitySchema {
            var edit = SchemaEdit(schema)
            body(&edit)
            edit.changeOwned(changed)
            return edit.schema()
        }
        roots = roots.map(changed)
    }
}
