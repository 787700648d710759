internal import LarderData
internal import LarderDomain

/// Differences between the shape and the declared schemas after all hints and steps.
extension SchemaPlanner {
    mutating func addDifferences() throws(PersistencyError) {
        for schema in declared.all {
            let items = declared.items.filter { $0.entity == schema.name }
            guard let own = items.first else { continue }
            guard let found = shape.entity(schema.name) else {
                if schema.isDerived, let owner = own.owner { try fill(schema, of: owner) }
                try apply(.add(items))
                continue
            }
            if schema.isDerived, let owner = own.owner, shape.items.filter({ $0.entity == schema.name }) != items {
                // Words in another form, or by other rules.
                try fill(schema, of: owner)
                try apply(.drop(found), computed: true)
                try apply(.add(items))
                continue
            }
            guard found.owner == own.owner else {
                throw .incompatible("the store has \(found), which is declared as \(own): move its data with a step")
            }
            try addDifferences(of: schema, items)
        }
        try keepUnknown()
    }

    private mutating func addDifferences(of schema: EntitySchema, _ items: [SchemaItem]) throws(PersistencyError) {
        var (added, replaced, groups) = ([SchemaItem](), [SchemaItem](), [SchemaItem]())
        for item in items {
            switch item.kind {
            case .entity: continue
            // A newer version may have removed an index, which affects no answer.
            case .index where declared.evolution.version < plan.record.version: continue
            case .unique, .index: if !shape.contains(item) { groups.append(item) }
            case .column, .links:
                guard let found = shape.member(item.name, of: schema.name) else {
                    try checkAddition(item, to: schema)
                    added.append(item)
                    continue
                }
                if try isReplaced(found, by: item) { replaced.append(item) }
            }
        }
        if !replaced.isEmpty { try apply(.replace(replaced)) }
        if !added.isEmpty { try apply(.add(added)) }
        try removeGroups(of: schema.name, except: items)
        if !groups.isEmpty { try apply(.add(groups)) }
    }

    /// Plans the computation of a new derived list. A new owner has no objects.
    private mutating func fill(_ schema: EntitySchema, of owner: String) throws(PersistencyError) {
        guard shape.entity(owner) != nil else { return }
        guard let root = declared[owner], declared.derivation(of: root) != nil else {
            throw .incompatible("existing objects have no \(schema.name), and this program does not compute it")
        }
        derive(owner)
    }

    private mutating func checkAddition(_ item: SchemaItem, to schema: EntitySchema) throws(PersistencyError) {
        if item.kind == .links || item.canStayUnknown { return }
        let root = declared.roots.first { $0.withDescendants.contains { $0.name == schema.name } }
        if item.isDerived, item.reference == nil, let root, declared.derivation(of: root) != nil {
            return derive(schema.name)
        }
        if item.reference != nil, item.isNullable, item.defaultValue == nil, !item.isDerived { return }
        // The store may have it by a name of a later version.
        try checkNotOlder(.add([item]))
        if let former = schema.hints.formerMembers[item.name] {
            throw .incompatible(
                "\(item) is declared as renamed from \(former.joined(separator: ", ")), which the store does not have: "
                    + "correct the name, or declare a default")
        }
        throw .incompatible(
            "existing objects have no value for \(item): make it nullable, or declare a default, its former name, or a "
                + "step")
    }

    /// Whether a declaration changes without a change of values. Throws `incompatible` if values must change.
    private func isReplaced(_ found: SchemaItem, by item: SchemaItem) throws(PersistencyError) -> Bool {
        let isSame =
            found.kind == item.kind && found.typeName == item.typeName && found.isDerived == item.isDerived
            && found.reference?.target == item.reference?.target
            && found.reference?.isOwning == item.reference?.isOwning && (item.isNullable || !found.isNullable)
        guard isSame else {
            throw .incompatible("the store has \(found), which is declared as \(item): convert it with a step")
        }
        return found.isNullable != item.isNullable || found.reference?.onDelete != item.reference?.onDelete
    }

    /// Removes groups that a newer version no longer declares. An older program keeps indexes, and cannot keep values
    /// unique that it does not know to be.
    private mutating func removeGroups(of entity: String, except items: [SchemaItem]) throws(PersistencyError) {
        for item in shape.items where item.entity == entity && (item.kind == .unique || item.kind == .index) {
            if items.contains(where: { ($0.kind, $0.name) == (item.kind, item.name) }) { continue }
            if declared.evolution.version > plan.record.version {
                try apply(.drop(item))
            } else if item.kind == .index {
                keep(item)
            } else {
                throw .incompatible(unknown(item))
            }
        }
    }

    /// Keeps entities and columns that the program does not need to know; a newer one may have added them.
    private mutating func keepUnknown() throws(PersistencyError) {
        for item in shape.items {
            if let schema = declared[item.entity] {
                let isMember =
                    item.kind != .column && item.kind != .links || schema.index(ofColumn: item.name) != nil
                    || schema.links.contains { $0.name == item.name }
                if isMember { continue }
                guard item.canStayUnknown else { throw .incompatible(unknown(item)) }
                keep(item)
            } else {
                // A declared root would not delete what it owns.
                if let owner = item.owner, declared[owner] != nil { throw .incompatible(unknown(item)) }
                keep(item)
            }
        }
    }

    private func unknown(_ item: SchemaItem) -> String {
        let place = item.kind == .entity ? "the evolution" : item.entity
        return
            "the store has \(item), which this program does not declare: use the newer program that added it, or, if it "
            + "was removed, declare it as dropped in \(place) and raise the schema version"
    }
}
