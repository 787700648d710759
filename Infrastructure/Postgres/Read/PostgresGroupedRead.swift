#if Postgres
internal import LarderData
internal import LarderDomain

/// The read of one root that is sent together with others.
///
/// `@unchecked Sendable` is safe because one task or thread at a time uses it: the caller's, and that of the group while the
/// caller waits.
final class PostgresGroupedRead: PostgresGrouped, @unchecked Sendable {
    private let id: RawID
    private let table: PostgresTable
    private let body: RowBody
    /// Known when the body has run.
    var result: Result<Bool, PersistencyError>?
    var byteCount: Int { 20 }

    init(_ id: RawID, of table: PostgresTable, _ body: @escaping RowBody) {
        (self.id, self.table, self.body) = (id, table, body)
    }

    /// For each table, one statement for the roots, and one for each of their lists.
    static func exchange(
        of group: [PostgresGroupedRead], on connection: PostgresConnection
    ) -> PostgresExchange<Bool> {
        let tables = Dictionary(grouping: group) { ObjectIdentifier($0.table) }.values
        return PostgresExchange(tables.flatMap { steps($0, $0[0].table, connection) }) {
            (receive) throws(PersistencyError) in
            defer { connection.rowBuffer.removeAll() }
            try receive()
            return true
        }
    }

    /// The evaluation of the last result lends the roots.
    private static func steps(
        _ reads: [PostgresGroupedRead], _ table: PostgresTable, _ connection: PostgresConnection
    ) -> [PostgresStep] {
        let reading = PostgresReading(connection: connection)
        let (ids, rows) = (Set(reads.map(\.id)).sorted(), Box<[RawID: Int]>([:]))
        let roots = PostgresStep(table.readMany, [.blob(PostgresArray.bytes(ids))]) {
            (result) throws(PersistencyError) in
            rows.value = try reading.append(result, table, at: ids)
        }
        let steps = [roots] + reading.lists(of: 0..<ids.count, ids, table, .rows, Box([]))
        let last = steps[steps.count - 1]
        let end = PostgresStep(last.text, last.values) { (result) throws(PersistencyError) in
            defer { connection.rowBuffer.removeAll() }
            try last.evaluate(result)
            for read in reads {
                read.result = Result { () throws(PersistencyError) in
                    guard let row = rows.value[read.id] else { return false }
                    try connection.rowBuffer.lend(row..<row + 1, of: table.schema, to: read.body)
                    return true
                }
            }
        }
        return steps.dropLast() + [end]
    }
}
#endif
