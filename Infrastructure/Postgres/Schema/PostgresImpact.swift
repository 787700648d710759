#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// The effects of a plan on the tables of a store, by their names before it.
struct PostgresImpact {
    /// A lock of a table that the migration needs.
    enum Lock: Int {
        case writes, all

        /// PostgreSQL's name of the mode.
        var mode: String { self == .all ? "ACCESS EXCLUSIVE" : "SHARE ROW EXCLUSIVE" }
        var description: String { mode + (self == .all ? ": reads and writes wait" : ": writes wait") }
    }

    /// A table, or a column of it, that is removed or renamed.
    struct Target: Hashable {
        let table: String
        var column: String?
    }

    /// A table before the plan, and its columns by their present names.
    private struct Origin {
        let table: String
        var columns: [String: String]
    }

    private(set) var targets: Set<Target> = []
    private(set) var locks: [String: Lock] = [:]
    /// The tables whose rows are changed by steps.
    private(set) var rewritten: Set<String> = []
    /// The indexes of these tables that are built after the transaction.
    private(set) var builds: [PostgresName] = []
    /// The tables before the plan.
    let before: [PostgresRelation]
    /// The tables after the plan, as declared.
    let after: [PostgresRelation]
    private var origins: [String: Origin]

    init(_ plan: SchemaPlan) throws(PersistencyError) {
        before = try SQLLayout(SchemaShape(plan.record.items)).relations
        after = try SQLLayout(plan.result).relations
        origins = Dictionary(
            before.map { relation in
                let columns = Dictionary(relation.columns.map { ($0, $0) }) { first, _ in first }
                return (relation.name, Origin(table: relation.name, columns: columns))
            }
        ) { first, _ in first }
        if !plan.steps.isEmpty { for relation in before { lock(relation.name, .all) } }
        for stage in plan.stages {
            switch stage.work {
            case .structure(let actions):
                for one in try SQLTableChange.all(actions, from: stage.before) {
                    switch one.action {
                    case .renameEntity, .renameMember: rename(one.before.relations, one.after.relations)
                    case .replace(let items):
                        for item in items where item.kind == .column { lock(item.entity, .all) }
                    case .add, .drop: change(one.before.relations, one.after.relations)
                    }
                }
            case .step(let step):
                if let origin = origins[step.entity] { rewritten.insert(origin.table) }
                change(
                    try SQLLayout(stage.before).relations, try SQLLayout(stage.after).relations,
                    replacing: Set(step.removes), of: step.entity)
            }
        }
        for table in try SQLLayout(plan.result).tables where plan.derived.contains(table.name) {
            for name in table.withDescendants.map(\.name) { lock(name, .writes) }
        }
    }

    private mutating func lock(_ table: String, _ lock: Lock) {
        guard let name = origins[table]?.table else { return }
        locks[name] = locks[name] == .all ? .all : lock
    }

    private mutating func rename(_ old: [PostgresRelation], _ new: [PostgresRelation]) {
        for (old, new) in zip(old, new) where old != new {
            lock(old.name, .all)
            guard var origin = origins.removeValue(forKey: old.name) else { continue }
            if old.name != new.name { targets.insert(Target(table: origin.table)) }
            let columns = origin.columns
            origin.columns = [:]
            for (column, renamed) in zip(old.columns, new.columns) {
                guard let first = columns[column] else { continue }
                if column != renamed { targets.insert(Target(table: origin.table, column: first)) }
                origin.columns[renamed] = first
            }
            origins[new.name] = origin
        }
    }

    /// - Parameter replaced: Columns of an entity that have no former values, also if there is one of the name.
    private mutating func change(
        _ old: [PostgresRelation], _ new: [PostgresRelation], replacing replaced: Set<String> = [],
        of entity: String = ""
    ) {
        let news = Dictionary(new.map { ($0.name, $0) }) { first, _ in first }
        for old in old {
            guard let new = news[old.name] else {
                lock(old.name, .all)
                for key in old.foreignKeys { lock(key.target ?? "", .all) }
                if let origin = origins.removeValue(forKey: old.name) { targets.insert(Target(table: origin.table)) }
                continue
            }
            let isIndexed = old.indexes.allSatisfy(new.indexes.contains)
            if old.columns != new.columns || old.constraints != new.constraints || !isIndexed { lock(old.name, .all) }
            for key in old.foreignKeys where !new.constraints.contains(key) { lock(key.target ?? "", .all) }
            for column in old.columns
            where !new.columns.contains(column) || old.name == entity && replaced.contains(column) {
                if let origin = origins[old.name], let first = origin.columns[column] {
                    targets.insert(Target(table: origin.table, column: first))
                }
                origins[old.name]?.columns[column] = nil
            }
        }
        let olds = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
        for new in new {
            for key in new.foreignKeys where olds[new.name]?.constraints.contains(key) != true {
                lock(key.target ?? "", .writes)
            }
            guard let origin = origins[new.name], let old = olds[new.name] else { continue }
            builds += new.indexes.filter { !old.indexes.contains($0) }.map {
                PostgresName(table: origin.table, name: $0.name)
            }
        }
    }
}
#endif
