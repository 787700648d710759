public import LarderDomain

extension ChangeSet {
    /// Rejects change sets that no store accepts: with more than ``byteLimit`` bytes [declared.1], undeclared members
    /// or values [declared.2], a deletion or a restored root without a version [declared.3], or a removal from a column
    /// that cannot be `null` [declared.4]. Every store calls this first, because the rest of a commit relies on it.
    ///
    /// - Parameters:
    ///   - schemas: The schemas of the store.
    ///   - isSealing: Whether the store encrypts the values of sealed columns.
    ///   - allowsBulk: Whether the store applies a ``bulk`` update.
    /// - Returns: ``byteCount``, computed in the same pass.
    /// - Throws: `unavailable` (`tooLarge`); `unknownEntity` for a schema that is not a root of the set, also in a
    ///   read, a deletion or a removal [declared.5]; `invalid` with the entity, id and column, or `version` for a
    ///   missing version [declared.6]; `incompatible` if the set has sealed columns, which the store would write in
    ///   plain text [declared.7]; `unsupportedQuery` for a bulk update that the store does not apply [declared.8].
    /// - Complexity: O(*n*) for *n* values, independent of their lengths.
    @discardableResult
    public func check(
        against schemas: SchemaSet, isSealing: Bool = false, allowsBulk: Bool = false
    ) throws(PersistencyError) -> Int {
        if !isSealing, let column = schemas.sealedColumn {
            throw .incompatible("\(column) is sealed: open the store as the base of a SealedStore")
        }
        if bulk != nil, !allowsBulk { throw .unsupportedQuery("a bulk update in a store without this capability") }
        do throws(PersistencyError) {
            let byteCount = try checkDeclared(by: schemas)
            try Self.checkSize(byteCount)
            return byteCount
        } catch {
            // A size error takes precedence.
            try checkSize()
            throw error
        }
    }

    /// - Returns: ``byteCount``.
    private func checkDeclared(by schemas: SchemaSet) throws(PersistencyError) -> Int {
        var byteCount = changedByteCount
        for object in inserts {
            byteCount += object.byteCount()
            try object.checkDeclared(by: schemas.root(object.schema))
            guard keepsVersions, !(1...1 << 62).contains(object.version) else { continue }
            throw object.schema.invalid("version", "must be from 1 to 2^62", object.id)
        }
        for update in updates {
            try update.changes.checkDeclared(by: schemas.root(update.key.schema), of: update.key.id)
        }
        for delete in deletes {
            let schema = try schemas.root(delete.key.schema)
            if delete.version == nil { throw schema.invalid("version", "is required to delete a root", delete.key.id) }
        }
        for read in reads { _ = try schemas.root(read.key.schema) }
        for removal in removals {
            let reference = removal.reference
            guard try schemas.root(reference.root).references.contains(reference) else {
                throw reference.holder.undeclared(removal.target)
            }
            guard !reference.isRemovable else { continue }
            throw reference.holder.invalid(
                reference.memberName, "must have a value, so that no reference can be removed from it", removal.target)
        }
        if let bulk {
            let schema = try schemas.root(bulk.schema)
            for assignment in bulk.assignments {
                guard schema.columns.indices.contains(assignment.column) else { throw schema.undeclared(.none) }
                guard case .set(let value) = assignment.change else { continue }
                try schema.check(value, at: assignment.column, of: .none)
            }
        }
        return byteCount
    }
}

extension SchemaSet {
    /// The set's declaration of a root schema.
    fileprivate func root(_ schema: EntitySchema) throws(PersistencyError) -> EntitySchema {
        if roots.contains(where: { $0 === schema }) { return schema }
        guard let declared = roots.first(where: { $0.name == schema.name }) else { throw .unknownEntity(schema.name) }
        return declared
    }
}

extension StorageObject {
    fileprivate func checkDeclared(by declared: EntitySchema) throws(PersistencyError) {
        guard schema === declared || schema.name == declared.name, values.count == declared.columns.count,
            links.count == declared.links.count, children.count == declared.children.count
        else { throw declared.undeclared(id) }
        for index in values.indices { try declared.check(values[index], at: index, of: id) }
        for index in children.indices {
            let child = declared.children[index].schema
            for object in children[index] { try object.checkDeclared(by: child) }
        }
    }
}

extension ObjectChanges {
    fileprivate func checkDeclared(by schema: EntitySchema, of id: RawID) throws(PersistencyError) {
        for change in columns {
            guard schema.columns.indices.contains(change.column) else { throw schema.undeclared(id) }
            try schema.check(change.value, at: change.column, of: id)
        }
        for change in links {
            guard schema.links.indices.contains(change.relationship), change.isInOrder else {
                throw schema.undeclared(id)
            }
        }
        for change in children {
            guard schema.children.indices.contains(change.relationship) else { throw schema.undeclared(id) }
            try change.checkDeclared(by: schema.children[change.relationship].schema)
        }
    }
}

extension LinkChange {
    /// Whether the positions are ascending and within the list.
    fileprivate var isInOrder: Bool {
        var next = 0
        for place in places {
            guard place.position >= next, place.position < count else { return false }
            next = place.position + 1
        }
        return count >= 0
    }
}

extension ChildChange {
    fileprivate func checkDeclared(by schema: EntitySchema) throws(PersistencyError) {
        switch kind {
        case .insert(let object, let position):
            guard object.id == id, position >= 0 else { throw schema.undeclared(id) }
            try object.checkDeclared(by: schema)
        case .update(let position, let changes):
            guard position ?? 0 >= 0 else { throw schema.undeclared(id) }
            try changes.checkDeclared(by: schema, of: id)
        case .delete: return
        }
    }
}

extension EntitySchema {
    fileprivate func check(_ value: Value, at index: Int, of id: RawID) throws(PersistencyError) {
        if case .real(let real) = value, !real.isFinite {
            throw invalid(columns[index].name, "must be a finite number", id)
        }
        if columnTypes[index].accepts(value) { return }
        let column = columns[index]
        if value == .null, column.isNullable { return }
        throw invalid(column.name, value == .null ? "is missing" : "is not of type \(column.type)", id)
    }

    fileprivate func undeclared(_ id: RawID) -> PersistencyError {
        invalid("?", "has members that are not declared", id)
    }
}

extension RawID {
    /// The id in errors of a bulk update, which names no root.
    fileprivate static let none = RawID(high: 0, low: 0)
}
