import LarderData

// For a decorator whose base store has other schemas than the decorator.

/// Converts a value to that of a column of another schema.
typealias CellTransform = (_ value: Value, _ column: Int, _ schema: EntitySchema) -> Value

extension StorageObject {
    /// The object in another schema that has the same lists and links, and the same columns at the same positions.
    ///
    /// Additional columns of the other schema get their defaults. Columns that it lacks are left out.
    ///
    /// - Parameter transform: Receives the values and the other schema; by default, values do not change.
    func translated(
        to schema: EntitySchema, _ transform: CellTransform = { value, _, _ in value }
    ) -> StorageObject {
        let translated = schema.columns.enumerated().map { index, column in
            index < values.count ? transform(values[index], index, schema) : column.defaultValue ?? .null
        }
        let children = zip(schema.children, children).map { child, list in
            list.map { $0.translated(to: child.schema, transform) }
        }
        return StorageObject(
            schema: schema, id: id, version: version, values: translated, children: children, links: links)
    }
}

extension ObjectChanges {
    fileprivate func translated(to schema: EntitySchema, _ transform: CellTransform) -> ObjectChanges {
        var translated = self
        translated.columns = columns.map {
            ColumnChange(column: $0.column, value: transform($0.value, $0.column, schema))
        }
        translated.children = children.map { change in
            let child = schema.children[change.relationship].schema
            let kind: ChildChange.Kind =
                switch change.kind {
                case .insert(let object, let position):
                    .insert(object.translated(to: child, transform), position: position)
                case .update(let position, let changes):
                    .update(position: position, changes.translated(to: child, transform))
                case .delete: .delete
                }
            return ChildChange(relationship: change.relationship, id: change.id, kind: kind)
        }
        return translated
    }
}

extension ChangeSet {
    /// The change set for a store with other schemas; see ``StorageObject/translated(to:_:)``.
    ///
    /// The change set must conform to its own schemas, see ``check(against:)``, and the other schemas must have the
    /// same names.
    func translated(
        to schemas: SchemaSet, _ transform: CellTransform = { value, _, _ in value }
    ) -> ChangeSet {
        func key(_ key: EntityKey) -> EntityKey { EntityKey(schemas[key.schema.name] ?? key.schema, key.id) }
        func expectation(_ root: RootExpectation) -> RootExpectation {
            RootExpectation(key(root.key), version: root.version, owner: root.owner)
        }
        var translated = self
        translated.inserts = inserts.map { $0.translated(to: schemas[$0.schema.name] ?? $0.schema, transform) }
        translated.updates = updates.map { update in
            let key = key(update.key)
            return RootUpdate(
                key, expected: update.expected, changes: update.changes.translated(to: key.schema, transform),
                owner: update.owner)
        }
        translated.deletes = deletes.map(expectation)
        translated.reads = reads.map(expectation)
        translated.removals = removals.map { $0.translated(to: schemas) }
        return translated
    }
}

extension ReferenceRemoval {
    /// The removal in another schema set that has the same references.
    func translated(to schemas: SchemaSet) -> ReferenceRemoval {
        let found = schemas[reference.root.name]?.references.first { $0.names == reference.names }
        return ReferenceRemoval(of: target, from: found ?? reference)
    }
}
