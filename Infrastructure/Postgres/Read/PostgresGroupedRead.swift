#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// The read of one root that is sent together with others.
///
/// `@unchecked Sendable` is safe because one task or thread at a time uses it: the caller's, and that of the group while the
/// caller waits.
final class PostgresGroupedRead: PostgresGrouped, @unchecked Sendable {
    private let id: RawID
    private let table: SQLTablePlan
    private let body: RowBody
    /// Known when the body has run.
    var result: Result<Bool, PersistencyError>?
    var byteCount: Int { 20 }

    init(_ id: RawID, of table: SQLTablePlan, _ body: @escaping RowBody) {
        (self.id, self.table, self.body) = (id, table, body)
    }

    /// For each table, one statement for the roots, and one for each of their lists.
    static func exchange(
        of group: [PostgresGroupedRead], on connection: PostgresConnection
    ) -> PostgresExchange {
        let tables = Dictionary(grouping: group) { ObjectIdentifier($0.table) }.values
        return PostgresExchange(tables.flatMap { steps($0, $0[0].table, connection) }) { _ in
            connection.rowBuffer.removeAll()
        }
    }

    /// The evaluation of the last result lends the roots.
    private static func steps(
        _ group: [PostgresGroupedRead], _ table: SQLTablePlan, _ connection: PostgresConnection
    ) -> [PostgresStep] {
        let reads = PostgresPointReads(Set(group.map(\.id)).sorted(), of: table, on: connection)
        return reads.steps.followed {
            for read in group {
                read.result = Result { () throws(PersistencyError) in try reads.lend(read.id, to: read.body) }
            }
            connection.rowBuffer.removeAll()
        }
    }
}
#endif
