import LarderData
import LarderDecorators
import LarderDomain

@testable import LarderInfrastructureTests

extension SealingKeys {
    static func fake(_ current: String = "k1", older: [String] = []) throws -> SealingKeys {
        func key(_ id: String) -> Key { Key(id, FakeCipher(key: id)) }
        return try SealingKeys(current: key(current), older: older.map(key), equality: key("equality"))
    }
}

extension SchemaSet {
    /// The schemas of the contract with every column sealed that can be: all except references, columns with defaults,
    /// words, and columns that a law sorts, compares by range, or matches in part.
    func sealingAll(except excluded: Set<String>) throws -> SchemaSet {
        var derivations: [String: Derivation] = [:]
        for root in roots { derivations[root.name] = derivation(of: root) }
        return try SchemaSet(
            roots.map { $0.sealingAll(except: excluded) }, derivations: derivations, evolution: evolution)
    }
}

extension EntitySchema {
    fileprivate func sealingAll(except excluded: Set<String>) -> EntitySchema {
        if isDerived { return self }
        // The texts of the contract are no secrets.
        var hints = hints
        hints.unsealed = Set(columns.filter(\.isDerived).map(\.name) + children.map(\.name))
        return EntitySchema(
            name: name,
            columns: columns.map { column in
                let isPlain = excluded.contains("\(name).\(column.name)") || excluded.contains(name)
                if isPlain || column.reference != nil || column.defaultValue != nil { return column }
                return Column(
                    name: column.name, type: column.type, isNullable: column.isNullable, isDerived: column.isDerived,
                    // A law opens the store with an older program, which accepts no unknown column of hashes.
                    sealing: column.isNullable && ["thing", "part"].contains(name) ? .content : .equality,
                    scale: column.scale)
            },
            children: children.map { ChildRelationship(name: $0.name, schema: $0.schema.sealingAll(except: excluded)) },
            links: links, uniques: uniques, indexes: indexes, ownerColumn: ownerColumn, hints: hints)
    }
}
