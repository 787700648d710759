internal import LarderData
internal import LarderDomain

// The base of a sealed store has the same columns at the same positions: sealed ones are blobs, and a hash column for
// each column with equality follows them.

extension EntitySchema {
    /// The indexes of the columns that have a hash column, in the order of the hash columns.
    var equalityColumns: [Int] { sealedColumns.filter { columns[$0].sealing == .equality } }

    /// The index of the hash column of a column with equality, in the base's schema.
    func hashColumn(of column: Int) -> Int {
        columns.count + columns[..<column].count { $0.sealing == .equality }
    }

    /// The schema of the base; the schema itself if nothing is sealed.
    var sealedForm: EntitySchema {
        if sealedColumn == nil { return self }
        func inBase(_ group: [Int]) -> [Int] {
            // An index outside of the columns remains, so that the check of the base's schemas reports it.
            group.map { columns.indices.contains($0) && columns[$0].sealing == .equality ? hashColumn(of: $0) : $0 }
        }
        let hashes = equalityColumns.map { column in
            Column(
                name: hashName(name, columns[column].name), type: .blob, isNullable: columns[column].isNullable,
                isDerived: true)
        }
        var hints = hints
        // The base computes a hash with the new names, instead of a renamed column with hashes of the former ones.
        for name in equalityColumns.map({ columns[$0].name }) {
            for entity in [self.name] + hints.formerNames {
                for column in [name] + (hints.formerMembers[name] ?? []) where (entity, column) != (self.name, name) {
                    hints.dropped.append(hashName(entity, column))
                }
            }
        }
        return EntitySchema(
            name: name,
            columns: columns.map { column in
                if column.sealing == nil { return column }
                return Column(
                    name: column.name, type: .blob, isNullable: column.isNullable, isDerived: column.isDerived)
            } + hashes, children: children.map { ChildRelationship(name: $0.name, schema: $0.schema.sealedForm) },
            links: links, uniques: uniques.map(inBase), indexes: indexes.map(inBase), ownerColumn: ownerColumn,
            journalColumn: journalColumn, hints: hints, mayBeLarge: hasBlobs)
    }

    /// Contains the names of which the hash depends, so that a renamed column gets another hash column.
    private func hashName(_ entity: String, _ column: String) -> String { "\(entity)_\(column)_hash" }
}

extension StorageObject {
    /// The object in the form of the base.
    func sealed(by sealer: Sealer, _ schema: EntitySchema, _ base: EntitySchema) throws(PersistencyError) -> Self {
        if schema.sealedColumn == nil { return self }
        var sealed = values
        for index in schema.sealedColumns {
            sealed[index] = try sealer.seal(values[index], index, of: id, schema)
        }
        for column in schema.equalityColumns { sealed.append(sealer.hash(values[column], column, schema)) }
        return StorageObject(
            schema: base, id: id, version: version, values: sealed,
            children: try mappedChildren(schema, base) { (child, schema, base) throws(PersistencyError) in
                try child.sealed(by: sealer, schema, base)
            }, links: links)
    }

    /// An object of the base in its own form.
    ///
    /// - Parameter checksHashes: Whether hashes that do not match their values are refused.
    func opened(
        by sealer: Sealer, _ schema: EntitySchema, checksHashes: Bool = true
    ) throws(PersistencyError) -> StorageObject {
        if schema.sealedColumn == nil { return self }
        var opened = Array(values.prefix(schema.columns.count))
        for index in schema.sealedColumns {
            opened[index] = try sealer.open(values[index], index, of: id, schema)
        }
        if checksHashes {
            for (index, column) in schema.equalityColumns.enumerated()
            where values[schema.columns.count + index] != sealer.hash(opened[column], column, schema) {
                throw schema.refusal(of: column, id, "has the hash of another value")
            }
        }
        return StorageObject(
            schema: schema, id: id, version: version, values: opened,
            children: try mappedChildren(schema, schema) { (child, schema, _) throws(PersistencyError) in
                try child.opened(by: sealer, schema, checksHashes: checksHashes)
            }, links: links)
    }

    private func mappedChildren(
        _ schema: EntitySchema, _ base: EntitySchema,
        _ body: (StorageObject, EntitySchema, EntitySchema) throws(PersistencyError) -> StorageObject
    ) throws(PersistencyError) -> [[StorageObject]] {
        var lists = children
        for list in lists.indices {
            for index in lists[list].indices {
                lists[list][index] = try body(
                    lists[list][index], schema.children[list].schema, base.children[list].schema)
            }
        }
        return lists
    }
}
