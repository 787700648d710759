#if Postgres
internal import LarderData
internal import LarderInfrastructure

/// The name of an index or constraint, which is unique among those of a table.
struct PostgresName: Hashable {
    let table: String
    let name: String
}

/// A table of objects or links, with the names of the store's objects on it. Anything else there belongs to others.
struct PostgresRelation: Equatable {
    struct Constraint: Equatable {
        let name: PostgresName
        /// The table to which a foreign key refers.
        var target: String?
    }

    let name: String
    let columns: [String]
    /// The primary key, foreign keys, and unique groups.
    let constraints: [Constraint]
    /// The indexes that belong to no constraint.
    let indexes: [PostgresName]

    var foreignKeys: [Constraint] { constraints.filter { $0.target != nil } }

    /// The foreign keys and unique groups.
    var keys: [PostgresName] { constraints.dropFirst().map(\.name) }

    private init(_ name: String, _ columns: [String], _ table: SQLTable, uniques: [String]) {
        (self.name, self.columns) = (name, columns)
        func named(_ short: String) -> PostgresName { PostgresName(table: name, name: short) }
        constraints =
            [Constraint(name: named(PostgresDialect().short("\(name)_pkey")))]
            + PostgresDefinition.foreignKeys(table).filter { $0.name.table == name }.map(\.constraint)
            + uniques.map { Constraint(name: named($0)) }
        indexes = table.indexes.filter { $0.table == name }.map { PostgresDialect().short($0.name) }
            .filter { !uniques.contains($0) }.map(named)
    }

    /// A table and those of its links.
    static func all(_ table: SQLTable) -> [PostgresRelation] {
        let uniques = table.schema.uniques.map { PostgresDefinition.uniqueName($0, of: table) }
        return [PostgresRelation(table.name, table.columns, table, uniques: uniques)]
            + table.links.map { PostgresRelation($0.name, $0.columns, table, uniques: []) }
    }
}

extension SQLLayout {
    /// In the same order before and after a rename.
    var relations: [PostgresRelation] { tables.flatMap(PostgresRelation.all) }
}

extension Sequence<PostgresRelation> {
    /// The names of all constraints and indexes.
    var names: Set<PostgresName> { Set(flatMap { $0.constraints.map(\.name) + $0.indexes }) }
}
#endif
