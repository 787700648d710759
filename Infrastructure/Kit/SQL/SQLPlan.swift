package import LarderData
package import LarderDomain

/// The tables of a schema set, and their fixed statements, whose texts are built once.
package final class SQLPlan: Sendable {
    package let schemas: SchemaSet
    package let roots: [SQLTablePlan]
    private let byName: [String: SQLTablePlan]
    private let numbering: SQLNumbering

    /// - Parameter other: A plan whose statements are used on the same connections.
    /// - Throws: `incompatible` when two tables, indexes or columns would have one name, or a name is too long.
    package init(
        _ schemas: SchemaSet, _ dialect: any SQLDialect, beside other: SQLPlan? = nil
    ) throws(PersistencyError) {
        let tables = schemas.roots.map { SQLTable($0) }
        try SQLTable.checkNames(tables.flatMap(\.withDescendants), dialect)
        var numbering = other?.numbering ?? SQLNumbering()
        roots = tables.map { SQLTablePlan($0, dialect, &numbering) }
        self.numbering = numbering
        byName = Dictionary(roots.flatMap(\.withDescendants).map { ($0.schema.name, $0) }) { first, _ in first }
        self.schemas = schemas
    }

    /// The plan of an SQLite database.
    convenience init(_ schemas: SchemaSet, beside other: SQLPlan? = nil) throws(PersistencyError) {
        try self.init(schemas, .sqlite, beside: other)
    }

    /// The plan of a root's schema, found by identity or by equality.
    package func root(_ schema: EntitySchema) throws(PersistencyError) -> SQLTablePlan {
        // For usual numbers of roots, this costs less than hashing.
        for root in roots where root.schema === schema { return root }
        guard let plan = byName[schema.name], plan.table.owner == nil, plan.schema == schema else {
            throw .unknownEntity(schema.name)
        }
        return plan
    }

    /// The plan of a schema by name, root or owned.
    package subscript(name: String) -> SQLTablePlan? { byName[name] }

    /// The plan of a schema by name.
    package func table(_ name: String) throws(PersistencyError) -> SQLTablePlan {
        guard let plan = byName[name] else { throw .unknownEntity(name) }
        return plan
    }

    /// All tables, each owner before the tables that it owns.
    package var tables: [SQLTablePlan] { roots.flatMap(\.withDescendants) }
}
