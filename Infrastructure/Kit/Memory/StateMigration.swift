internal import LarderData
internal import LarderDomain

/// Migrates a state in memory: each stage of the plan builds a new state, and the old one stays as it is.
struct StateMigration {
    let plan: SchemaPlan
    let ids: any IDGenerator
    let progress: (@Sendable (MigrationProgress) -> Void)?
    /// The objects between two reports of progress.
    private static let reported = 10_000

    /// The state in the declared shape, with further columns and kept entities.
    func migrated(
        _ state: StoreState, to schemas: SchemaSet, _ further: FurtherColumns = FurtherColumns()
    ) throws(PersistencyError) -> StoreState {
        if plan.isEmpty, plan.kept.isEmpty, plan.record.items == schemas.items { return state }
        var state = state
        for stage in plan.stages {
            let after = try stage.after.schemas()
            switch stage.work {
            case .structure(let actions):
                state = try reshaped(state, to: after, FormerNames(actions))
            case .step(let step): state = try run(step, on: state, after)
            }
        }
        let result = try reshaped(state, to: schemas, FormerNames(), further, derives: true)
        if let (holder, dangling) = result.danglingReference() {
            throw .incompatible("\(holder) refers to \(dangling.column) \(dangling.id), which does not exist")
        }
        return result
    }

    private func reshaped(
        _ state: StoreState, to schemas: SchemaSet, _ names: FormerNames, _ further: FurtherColumns = FurtherColumns(),
        derives: Bool = false
    ) throws(PersistencyError) -> StoreState {
        var new = StoreState(schemas: schemas, sequence: state.sequence)
        for schema in schemas.roots {
            var collisions: [Duplicate: [RawID]] = [:]
            guard let old = state.schemas[names.entity(schema.name)] else { continue }
            let reshaping = ObjectReshaping(from: old, to: schema, names: names, further: further)
            let derivation = derives && plan.derived.contains(schema.name) ? schemas.derivation(of: schema) : nil
            for root in try state.table.table(of: old).roots {
                var object = reshaping.reshaped(root)
                if let derivation { object = try object.derived(by: derivation) }
                do throws(PersistencyError) {
                    try new.restore(object)
                } catch {
                    guard case .duplicate(let duplicate) = error else { throw error }
                    collisions[duplicate, default: [duplicate.existing]].append(object.id)
                }
            }
            if let columns = collisions.keys.first?.columns {
                let groups = collisions.filter { $0.key.columns == columns }.values.sorted { $0[0] < $1[0] }
                throw .collisions(
                    of: schema.name, in: columns.joined(separator: ", "),
                    groups.map { $0.map(\.description).joined(separator: ", ") })
            }
        }
        return new
    }

    private func run(
        _ step: MigrationStep, on state: StoreState, _ after: SchemaSet
    ) throws(PersistencyError) -> StoreState {
        let transform = try StepTransform(step, before: state.schemas, after: after)
        let context = StateMigrationContext(
            StoreState(schemas: after, sequence: state.sequence), transform.reshaping, ids)
        func isChanged(_ schema: EntitySchema) -> Bool { schema.withDescendants.contains { $0.name == step.entity } }
        // The step may look up objects of all other roots.
        for schema in state.schemas.roots.filter({ !isChanged($0) }) + state.schemas.roots.filter(isChanged) {
            guard let new = after[schema.name] else { continue }
            let reshaping = ObjectReshaping(from: schema, to: new, names: FormerNames(replacing: step))
            let roots = try state.table.table(of: schema).roots
            if schema.name == step.entity {
                try change(roots, transform, context) { (root) throws(PersistencyError) in
                    try context.state.migrate(root)
                }
                continue
            }
            // The step runs in the order of the ids of the owned objects, not of their roots.
            var changed: [RawID: StorageObject] = [:]
            if isChanged(schema) {
                let owned = roots.flatMap { $0.owned(of: step.entity) }.sorted { $0.id < $1.id }
                try change(owned, transform, context) { changed[$0.id] = $0 }
            }
            for root in roots {
                var object = reshaping.reshaped(root)
                object.replaceOwned(by: changed)
                try context.state.migrate(object)
            }
        }
        return context.state
    }

    private func change(
        _ objects: some Collection<StorageObject>, _ transform: StepTransform, _ context: StateMigrationContext,
        _ body: (StorageObject) throws(PersistencyError) -> Void
    ) throws(PersistencyError) {
        for (number, object) in objects.enumerated() {
            if number % Self.reported == 0 {
                let work = "step '\(transform.step.name)' of \(transform.step.entity)"
                progress?(MigrationProgress(work: work, done: number, total: objects.count))
            }
            if let changed = try transform.apply(object, context) { try body(changed) }
        }
    }
}

extension StorageObject {
    /// The owned objects of a schema, at any depth.
    fileprivate func owned(of schema: String) -> [StorageObject] {
        children.joined().flatMap { ($0.schema.name == schema ? [$0] : []) + $0.owned(of: schema) }
    }

    /// Replaces owned objects, at any depth, by their ids.
    fileprivate mutating func replaceOwned(by changed: [RawID: StorageObject]) {
        if changed.isEmpty { return }
        for list in children.indices {
            for index in children[list].indices {
                if let object = changed[children[list][index].id], object.schema === children[list][index].schema {
                    children[list][index] = object
                } else {
                    children[list][index].replaceOwned(by: changed)
                }
            }
        }
    }
}

/// The store of a step in memory.
private final class StateMigrationContext: MigrationContext {
    var state: StoreState
    private let reshaping: ObjectReshaping
    private let ids: any IDGenerator

    init(_ state: StoreState, _ reshaping: ObjectReshaping, _ ids: any IDGenerator) {
        (self.state, self.reshaping, self.ids) = (state, reshaping, ids)
    }

    func reshaped(_ old: StorageObject) -> StorageObject { reshaping.reshaped(old) }

    func newObject(of entity: String, _ values: [String: Value]) throws(PersistencyError) -> StorageObject {
        try StorageObject(schema(entity), id: ids.next(), values)
    }

    func insert(_ object: StorageObject) throws(PersistencyError) {
        let schema = try schema(object.schema.name)
        if let problem = object.problem { throw .incompatible(problem) }
        guard object.schema === schema else { throw .unknownEntity(object.schema.name) }
        try state.restore(object)
    }

    func id(of entity: String, where values: [String: Value]) throws(PersistencyError) -> RawID? {
        let schema = try schema(entity)
        let group = try schema.uniqueGroup(values.keys)
        let ordered = schema.uniques[group].map { values[schema.columns[$0].name] ?? .null }
        return state.id(of: schema, group: group, values: ordered)
    }

    func contains(_ id: RawID, of entity: String) throws(PersistencyError) -> Bool {
        state.table[EntityKey(try schema(entity), id)] != nil
    }

    private func schema(_ entity: String) throws(PersistencyError) -> EntitySchema {
        guard entity != reshaping.schema.name, let schema = state.schemas.roots.first(where: { $0.name == entity })
        else {
            throw .unknownEntity(entity)
        }
        return schema
    }
}

extension StoreState {
    fileprivate mutating func migrate(_ object: StorageObject) throws(PersistencyError) {
        do throws(PersistencyError) {
            try restore(object)
        } catch {
            guard case .duplicate(let duplicate) = error else { throw error }
            throw .incompatible(
                "\(object.reference) and \(duplicate.entity) \(duplicate.existing) have the same "
                    + "\(duplicate.columns.joined(separator: ", ")): change one of them first")
        }
    }
}
