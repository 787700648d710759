public import LarderDomain

/// The columns of a unique group, by which an entity is found.
struct UniqueKey {
    private let columns: [Int]

    /// - Throws: `unsupportedQuery` unless the properties are those of one group.
    init<E: Entity>(_ keys: [any PartialKeyPath<E> & Sendable], _ mapping: Mapping<E>) throws(PersistencyError) {
        var columns: [Int] = []
        for key in keys {
            guard case .column(let index, _) = mapping.keyPaths[key] else {
                throw .unsupportedQuery("a save by \(key.displayName), which is not stored as a value")
            }
            columns.append(index)
        }
        guard let group = mapping.schema.uniques.first(where: { Set($0) == Set(columns) }) else {
            let names = keys.map(\.displayName).joined(separator: ", ")
            throw .unsupportedQuery("a save of \(E.entityName) by \(names), which is not unique")
        }
        self.columns = group
    }

    /// The values of an object; `nil` if one is null, because then no other has the same.
    private func values(of object: StorageObject) -> [Value]? {
        let values = columns.map { object.values[$0] }
        return values.contains(.null) ? nil : values
    }

    /// The stored objects with the values of others, as these with the ids and versions of the stored ones.
    ///
    /// - Parameter read: Reads the roots that satisfy a condition.
    /// - Throws: `duplicate` for two objects with equal values: the stored one would get the contents of both.
    func twins(
        of objects: [StorageObject], read: (Condition) async throws(PersistencyError) -> [StorageObject]
    ) async throws(PersistencyError) -> [StorageObject?] {
        let wanted = Set(objects.compactMap(values))
        let condition: Condition =
            columns.count == 1
            ? .isIn(.column(columns[0]), Set(wanted.map { $0[0] }))
            : .any(
                wanted.map { values in
                    .all(zip(columns, values).map { .compare(.column($0), .equal, .literal($1)) })
                })
        let stored = wanted.isEmpty ? [] : try await read(condition)
        let byValues = Dictionary(stored.map { (values(of: $0) ?? [], $0) }) { first, _ in first }
        var given: [[Value]: RawID] = [:]
        for object in objects where objects.count > 1 {
            guard let values = values(of: object), let first = given.updateValue(object.id, forKey: values)
            else { continue }
            let names = columns.map { object.schema.columns[$0].name }
            throw .duplicate(
                Duplicate(entity: object.schema.name, columns: names, existing: byValues[values]?.id ?? first))
        }
        return objects.map { object in
            values(of: object).flatMap { byValues[$0] }.map { object.withIdentity(of: $0) }
        }
    }
}

extension StorageObject {
    fileprivate func withIdentity(of stored: StorageObject) -> StorageObject {
        StorageObject(
            schema: schema, id: stored.id, version: stored.version, values: values, children: children, links: links)
    }
}

extension StoreManager {
    public func twins<E: Entity>(
        of entities: [E], by keys: [any PartialKeyPath<E> & Sendable]
    ) async throws(PersistencyError) -> [Stored<E>?] {
        try checkOutside()
        let mapper = try mappers.mapper(for: E.self)
        return try await mapper.twins(of: entities, by: keys) { (condition) throws(PersistencyError) in
            try await store.read(ReadRequest(mapper.schema, where: condition)).items
        }
    }
}

extension TransactionManager {
    func twins<E: Entity>(
        of entities: [E], by keys: [any PartialKeyPath<E> & Sendable]
    ) async throws(PersistencyError) -> [Stored<E>?] {
        let mapper = try mappers.mapper(for: E.self)
        return try await mapper.twins(of: entities, by: keys) { (condition) throws(PersistencyError) in
            try await unit.read(ReadRequest(mapper.schema, where: condition)).items
        }
    }
}

extension MapperBox {
    fileprivate func twins(
        of entities: [E], by keys: [any PartialKeyPath<E> & Sendable],
        read: (Condition) async throws(PersistencyError) -> [StorageObject]
    ) async throws(PersistencyError) -> [Stored<E>?] {
        let key = try UniqueKey(keys, mapping)
        var objects: [StorageObject] = []
        for entity in entities { objects.append(try mapper.encoded(entity).object) }
        var twins: [Stored<E>?] = []
        for twin in try await key.twins(of: objects, read: read) {
            twins.append(try twin.map { (object) throws(PersistencyError) in try mapper.stored(from: object) })
        }
        return twins
    }
}
