internal import LarderData
internal import LarderDomain

extension ObjectChanges {
    func sealed(
        by sealer: Sealer, of id: RawID, _ schema: EntitySchema, _ base: EntitySchema
    ) throws(PersistencyError) -> ObjectChanges {
        if schema.sealedColumn == nil { return self }
        var sealed = self
        for (index, change) in columns.enumerated() {
            guard let sealing = schema.columns[change.column].sealing else { continue }
            let value = try sealer.seal(change.value, change.column, of: id, schema)
            sealed.columns[index] = ColumnChange(column: change.column, value: value)
            guard sealing == .equality else { continue }
            let hash = sealer.hash(change.value, change.column, schema)
            sealed.columns.append(ColumnChange(column: schema.hashColumn(of: change.column), value: hash))
        }
        for (index, change) in children.enumerated() {
            let (child, base) = (schema.children[change.relationship].schema, base.children[change.relationship].schema)
            let kind: ChildChange.Kind =
                switch change.kind {
                case .insert(let object, let position):
                    .insert(try object.sealed(by: sealer, child, base), position: position)
                case .update(let position, let changes):
                    .update(position: position, try changes.sealed(by: sealer, of: change.id, child, base))
                case .delete: .delete
                }
            sealed.children[index] = ChildChange(relationship: change.relationship, id: change.id, kind: kind)
        }
        return sealed
    }
}
