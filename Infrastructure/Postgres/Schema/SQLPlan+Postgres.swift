#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

extension SQLPlan {
    convenience init(_ schemas: SchemaSet) throws(PersistencyError) { try self.init(schemas, .postgres) }

    /// The names of all tables, including those of links.
    var tableNames: [String] { tables.map(\.table).flatMap { [$0.name] + $0.links.map(\.name) } }

    /// The error of a violated foreign key: a reference without a target, or to a deleted root.
    func dangling(_ error: PersistencyError) -> PersistencyError? {
        guard let cause = error.postgresError, cause.state == "23503",
            let start = cause.detail.firstRange(of: ")=(")?.upperBound,
            let id = RawID(String(cause.detail[start...].prefix(36)))
        else { return nil }
        let key = tables.lazy.flatMap { PostgresDefinition.foreignKeys($0.table) }.first {
            $0.name.name == cause.constraint
        }
        return .dangling(Dangling(entity: key?.entity ?? cause.table, column: key?.member ?? cause.constraint, id: id))
    }
}

extension SQLTablePlan {
    /// Whether one aggregate is read in one round trip, and is not large.
    var isShort: Bool { isShallow && !mayBeLarge }

    /// Inserts objects, and fails if a key exists: in less time, but not in a pipeline. (rows)
    var copy: String {
        "COPY \(SQLText.quoted(table.name)) (\(SQLText.quoted(table.columns))) FROM STDIN (FORMAT binary)"
    }

    /// Inserts rows of no content that no other transaction sees, and deletes them: until the end of the transaction, others
    /// that insert these ids wait. It fails with a serialization failure if the rows exist, but are not seen. (ids)
    var reservation: [String] {
        let name = SQLText.quoted(table.name)
        let fillers = schema.columns.map { PostgresDialect().constant($0.filler) }
        return [
            "INSERT INTO \(name) (\(SQLText.quoted(table.columns))) "
                + "SELECT \((["new.id", "0"] + fillers).joined(separator: ", ")) "
                + "FROM unnest($1::uuid[]) AS new (id) ON CONFLICT (\"id\") DO NOTHING",
            "DELETE FROM \(name) WHERE \"id\" = ANY ($1::uuid[]) AND \"version\" = 0",
        ]
    }
}
#endif
