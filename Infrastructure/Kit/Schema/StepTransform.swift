package import LarderData
package import LarderDomain

/// Applies a step's function to single objects, and checks its results.
package struct StepTransform: Sendable {
    let step: MigrationStep
    let old: EntitySchema
    package let reshaping: ObjectReshaping
    let isOwned: Bool

    /// - Parameters:
    ///   - before: The schemas before the step; the entity is among them.
    ///   - after: The schemas after it.
    package init(_ step: MigrationStep, before: SchemaSet, after: SchemaSet) throws(PersistencyError) {
        guard let old = before[step.entity], let new = after[step.entity] else { throw .unknownEntity(step.entity) }
        (self.step, self.old) = (step, old)
        reshaping = ObjectReshaping(from: old, to: new, names: FormerNames(replacing: step), keepsOwned: true)
        isOwned = !after.roots.contains { $0.name == step.entity }
    }

    /// The object in the new shape; `nil` for a deleted root. Throws `incompatible` with the step and the object if the
    /// function throws, or if its result is not valid.
    package func apply(
        _ object: StorageObject, _ context: any MigrationContext
    ) throws(PersistencyError) -> StorageObject? {
        let new: StorageObject?
        do {
            new = try step.transform(object, context)
        } catch {
            throw failure(object, "\(error)")
        }
        guard let new else {
            if isOwned { throw failure(object, "an owned object is deleted by a step of its root") }
            return nil
        }
        guard new.id == object.id, new.schema === reshaping.schema else {
            throw failure(object, "the result is not the object in the new shape: change a copy from 'reshaped'")
        }
        if let problem = new.problem { throw failure(object, problem) }
        var kept = new
        kept.version = object.version
        return kept
    }

    private func failure(_ object: StorageObject, _ why: String) -> PersistencyError {
        .incompatible("step '\(step.name)' cannot change \(object.schema.name) \(object.id): \(why)")
    }
}

extension StorageObject {
    /// The first value that the schema does not permit.
    package var problem: String? {
        guard values.count == schema.columns.count, children.count == schema.children.count,
            links.count == schema.links.count
        else { return "\(schema.name) has another number of members" }
        for (index, value) in values.enumerated() {
            // Almost every value is of the type of its column, which is cheaper to copy than the column.
            if schema.columnTypes[index].accepts(value) { continue }
            let column = schema.columns[index]
            if column.accepts(value) { continue }
            return value == .null
                ? "\(schema.name).\(column.name) has no value"
                : "\(schema.name).\(column.name), \(column.type.rawValue), does not permit \(value)"
        }
        return children.joined().lazy.compactMap(\.problem).first
    }

    /// A new object with defaults for all values that are not given.
    package init(_ schema: EntitySchema, id: RawID, _ values: [String: Value]) throws(PersistencyError) {
        self.init(
            schema: schema, id: id, version: 1, values: schema.columns.map { $0.defaultValue ?? .null },
            children: schema.children.map { _ in [] }, links: schema.links.map { _ in [] })
        for (name, value) in values { try set(name, value) }
    }
}

extension EntitySchema {
    /// The unique group of these columns, in the order of their values.
    package func uniqueGroup(_ columns: some Collection<String>) throws(PersistencyError) -> Int {
        let index = uniques.firstIndex { Set($0.map { self.columns[$0].name }) == Set(columns) }
        guard let index else {
            throw .incompatible("\(columns.sorted().joined(separator: ", ")) is not a unique group of \(name)")
        }
        return index
    }
}

extension FormerNames {
    /// A member that a step removes and adds again has no former values.
    init(replacing step: MigrationStep) {
        self.init()
        for name in step.removes { forget(name, of: step.entity) }
    }
}
