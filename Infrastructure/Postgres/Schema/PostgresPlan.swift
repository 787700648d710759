#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// The tables of a schema set, and their statements.
final class PostgresPlan: Sendable {
    let schemas: SchemaSet
    let roots: [PostgresTable]
    /// The foreign keys by name.
    let foreignKeys: [String: PostgresForeignKey]
    private let byName: [String: PostgresTable]

    /// - Throws: `incompatible` when two tables or columns would have one name, or a name is too long.
    init(_ schemas: SchemaSet) throws(PersistencyError) {
        let tables = schemas.roots.map { SQLTable($0) }
        try SQLTable.checkNames(tables.flatMap(\.withDescendants), .postgres)
        roots = tables.map(PostgresTable.init)
        byName = Dictionary(roots.flatMap(\.withDescendants).map { ($0.schema.name, $0) }) { first, _ in first }
        self.schemas = schemas
        let keys = tables.flatMap(\.withDescendants).flatMap(PostgresDefinition.foreignKeys)
        foreignKeys = Dictionary(keys.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The plan of a root's schema, found by identity or by equality.
    func root(_ schema: EntitySchema) throws(PersistencyError) -> PostgresTable {
        for root in roots where root.schema === schema { return root }
        guard let table = byName[schema.name], table.table.owner == nil, table.schema == schema else {
            throw .unknownEntity(schema.name)
        }
        return table
    }

    /// The table of a schema by name, root or owned.
    subscript(name: String) -> PostgresTable? { byName[name] }

    /// All tables, each owner before the tables that it owns.
    var tables: [PostgresTable] { roots.flatMap(\.withDescendants) }

    /// The names of all tables, including those of links.
    var tableNames: [String] { tables.map(\.table).flatMap { [$0.name] + $0.links.map(\.name) } }

    /// The error of a violated foreign key: a reference without a target, or to a deleted root.
    func dangling(_ error: PersistencyError) -> PersistencyError? {
        guard let cause = error.postgresError, cause.state == "23503",
            let start = cause.detail.firstRange(of: ")=(")?.upperBound,
            let id = RawID(String(cause.detail[start...].prefix(36)))
        else { return nil }
        let key = foreignKeys[cause.constraint]
        return .dangling(Dangling(entity: key?.entity ?? cause.table, column: key?.member ?? cause.constraint, id: id))
    }
}
#endif
