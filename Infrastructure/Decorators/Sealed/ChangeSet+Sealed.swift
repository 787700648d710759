internal import LarderData
internal import LarderDomain

extension ChangeSet {
    /// The change set for the base. It must conform to the schemas, see ``ChangeSet/check(against:isSealing:)``.
    func sealed(
        by sealer: Sealer, _ schemas: SchemaSet, _ base: SchemaSet
    ) throws(PersistencyError) -> ChangeSet {
        func key(_ key: EntityKey) -> EntityKey { EntityKey(base[key.schema.name] ?? key.schema, key.id) }
        func inBase(_ root: RootExpectation) -> RootExpectation {
            RootExpectation(key(root.key), version: root.version, owner: root.owner)
        }
        var sealed = self
        for (index, root) in inserts.enumerated() {
            guard let schema = schemas[root.schema.name], let form = base[root.schema.name] else { continue }
            sealed.inserts[index] = try root.sealed(by: sealer, schema, form)
        }
        for (index, update) in updates.enumerated() {
            guard let schema = schemas[update.key.schema.name] else { continue }
            let key = key(update.key)
            let changes = try update.changes.sealed(by: sealer, of: key.id, schema, key.schema)
            sealed.updates[index] = RootUpdate(key, expected: update.expected, changes: changes, owner: update.owner)
        }
        sealed.deletes = deletes.map(inBase)
        sealed.reads = reads.map(inBase)
        sealed.removals = removals.map { removal in
            let names = removal.reference.names
            let reference = base[removal.reference.root.name]?.references.first { $0.names == names }
            return ReferenceRemoval(of: removal.target, from: reference ?? removal.reference)
        }
        return sealed
    }
}
