package import LarderData
package import LarderDomain

/// Plans the changes from a recorded schema to the declared one.
///
/// Steps run in order. Hints apply as late as possible: before a step that needs the new name, or after the last one. So
/// a step reads and sets members by the names of its time, whatever they are called later.
package struct SchemaPlanner {
    let declared: SchemaSet
    private(set) var plan: SchemaPlan
    private(set) var shape: SchemaShape
    private var actions: [SchemaAction] = []
    /// The shape before `actions`.
    private var start: SchemaShape

    /// The plan. Throws `incompatible` for differences that need a hint or a step, a higher version of the schemas, or
    /// another version of the program.
    package static func plan(_ declared: SchemaSet, over record: SchemaRecord) throws(PersistencyError) -> SchemaPlan {
        var planner = SchemaPlanner(declared, record)
        try planner.run()
        return planner.plan
    }

    private init(_ declared: SchemaSet, _ record: SchemaRecord) {
        self.declared = declared
        shape = SchemaShape(record.items)
        start = shape
        plan = SchemaPlan(declared: declared, record: record, result: shape)
    }

    private mutating func run() throws(PersistencyError) {
        let record = plan.record
        if record.items.isEmpty {
            plan.stages = [.init(work: .structure([.add(declared.items)]), before: shape, after: shape)]
            plan.result = SchemaShape(declared.items)
            return
        }
        try checkVersion()
        try checkHistory()
        // Nearly every opening finds the schemas as declared.
        if record.version == declared.evolution.version, record.items == declared.items { return }
        // Items of which no schemas consist could not be planned.
        _ = try shape.schemas()
        for step in declared.evolution.steps where step.version > record.version { try add(step) }
        try applyHints()
        try addDifferences()
        endStage()
        try checkResult()
        plan.result = SchemaShape(declared.items + plan.kept)
    }

    /// Changes the shape. Renames and removals need a higher version, so that an older program can be recognized.
    ///
    /// - Parameter computed: Whether the change removes only what is computed again. It needs no higher version, because
    ///   an older program does not declare the new column, and is refused.
    mutating func apply(_ action: SchemaAction, computed: Bool = false) throws(PersistencyError) {
        let evolution = declared.evolution
        try checkNotOlder(action)
        if !action.isAdditive, !computed, evolution.version == plan.record.version {
            throw .incompatible(
                "to \(action.descriptions.joined(separator: ", ")) needs a higher schema version: raise it from "
                    + "\(evolution.version) to \(evolution.version + 1)")
        }
        shape.apply(action)
        actions.append(action)
    }

    /// Refuses a change by an older program than the one that changed the store last.
    func checkNotOlder(_ action: SchemaAction) throws(PersistencyError) {
        guard declared.evolution.version < plan.record.version else { return }
        throw .incompatible(
            "the store has schema version \(plan.record.version), and this program \(declared.evolution.version), which "
                + "would \(action.descriptions.joined(separator: ", ")): use a newer version of the program")
    }

    private mutating func add(_ step: MigrationStep) throws(PersistencyError) {
        try rename(entity: step.entity)
        guard shape.entity(step.entity) != nil else {
            // A store without the entity has no objects to change.
            plan.skipped.append(step)
            return
        }
        for column in step.reads { try prepare(column, for: step) }
        endStage()
        let before = shape
        for name in step.removes {
            guard let item = member(name, of: step.entity) else {
                throw .incompatible("step '\(step.name)' removes \(step.entity).\(name), which the store does not have")
            }
            shape.apply(.drop(item))
        }
        for member in step.adds { try add(member, of: step) }
        for schema in step.creates where shape.entity(schema.name) == nil {
            shape.apply(.add(schema.items()))
        }
        plan.stages.append(.init(work: .step(step), before: before, after: shape))
        start = shape
        plan.derived.formUnion([step.entity] + step.creates.map(\.name))
    }

    /// Ensures that a column exists before a step that reads it.
    private mutating func prepare(_ column: Column, for step: MigrationStep) throws(PersistencyError) {
        try rename(member: column.name, of: step.entity)
        let item = column.item(of: step.entity)
        if let found = shape.member(column.name, of: step.entity) {
            guard found.typeName == column.typeName else {
                throw .incompatible(
                    "step '\(step.name)' reads \(item), and the store has \(found): is a step before it missing?")
            }
        } else if item.canStayUnknown {
            try apply(.add([item]))
        } else {
            throw .incompatible(
                "step '\(step.name)' reads \(item), which the store does not have: is a step before it missing?")
        }
    }

    private mutating func add(_ member: MigrationStep.Member, of step: MigrationStep) throws(PersistencyError) {
        switch member {
        case .column(let column):
            let item = column.item(of: step.entity)
            guard let found = shape.member(column.name, of: step.entity) else { return shape.apply(.add([item])) }
            guard found.typeName == column.typeName else {
                throw .incompatible("step '\(step.name)' adds \(item), and the store has \(found): remove it first")
            }
            shape.apply(.replace([item]))
        case .children(let list):
            if shape.entity(list.schema.name) == nil {
                shape.apply(.add(list.schema.items(owner: step.entity, list: list.name)))
            }
        case .links(let list):
            if shape.member(list.name, of: step.entity) == nil { shape.apply(.add([list.item(of: step.entity)])) }
        }
    }

    /// A column, a list of links, or an owned entity by the name of its list.
    func member(_ name: String, of entity: String) -> SchemaItem? {
        shape.member(name, of: entity)
            ?? shape.items.first { $0.kind == .entity && $0.owner == entity && $0.name == name }
    }

    private mutating func endStage() {
        if !actions.isEmpty { plan.stages.append(.init(work: .structure(actions), before: start, after: shape)) }
        (actions, start) = ([], shape)
    }

    mutating func keep(_ item: SchemaItem) { plan.kept.append(item) }

    mutating func derive(_ root: String) { plan.derived.insert(root) }

    /// Checks that the shape after all steps is a valid schema, and limits `derived` to roots with derived columns.
    private mutating func checkResult() throws(PersistencyError) {
        _ = try shape.schemas()
        let roots = declared.roots.filter { root in
            root.withDescendants.contains { plan.derived.contains($0.name) && declared.derivation(of: root) != nil }
                && root.withDescendants.contains { $0.columns.contains(where: \.isDerived) }
        }
        plan.derived = Set(roots.map(\.name))
    }
}
