internal import LarderData
internal import LarderDomain

/// Renames and removals that the schemas declare.
extension SchemaPlanner {
    /// Applies all hints that concern the current shape.
    mutating func applyHints() throws(PersistencyError) {
        for name in declared.evolution.dropped {
            if let item = shape.entity(name) { try apply(.drop(item)) }
        }
        for schema in declared.all {
            try rename(entity: schema.name)
            guard shape.entity(schema.name) != nil else { continue }
            for member in schema.columns.map(\.name) + schema.links.map(\.name) {
                try rename(member: member, of: schema.name)
            }
            for name in schema.hints.dropped {
                if let item = member(name, of: schema.name) { try apply(.drop(item)) }
            }
        }
    }

    /// Renames an entity to a name that it has in a later version, or had before a later rename.
    mutating func rename(entity name: String) throws(PersistencyError) {
        guard shape.entity(name) == nil, let names = names(of: name) else { return }
        guard let old = names.first(where: { shape.entity($0) != nil && declared[$0] == nil }) else { return }
        try apply(.renameEntity(old, to: name))
    }

    /// The same for a column or a list of links.
    mutating func rename(member name: String, of entity: String) throws(PersistencyError) {
        guard shape.member(name, of: entity) == nil,
            let schema = declared.all.first(where: { $0.name == entity || $0.hints.formerNames.contains(entity) }),
            let names = schema.hints.formerMembers.map({ [$0.key] + $0.value }).first(where: { $0.contains(name) }),
            let item = names.compactMap({ shape.member($0, of: entity) }).first
        else { return }
        try apply(.renameMember(item, to: name))
    }

    /// All names of an entity, the latest first.
    private func names(of entity: String) -> [String]? {
        declared.all.map { [$0.name] + $0.hints.formerNames }.first { $0.contains(entity) }
    }
}
