#if Postgres
internal import LarderData
internal import LarderDomain

/// The read of one root that is sent together with others.
///
/// `@unchecked Sendable` is safe because one task or thread at a time uses it: the caller's, and that of the group while the
/// caller waits.
final class PostgresGroupedRead: @unchecked Sendable {
    private let id: RawID
    private let table: PostgresTable
    private let body: RowBody
    /// `nil` until the body has run.
    var result: Result<Void, PersistencyError>?

    init(_ id: RawID, of table: PostgresTable, _ body: @escaping RowBody) {
        (self.id, self.table, self.body) = (id, table, body)
    }

    /// The statements of the read. The evaluation of the last result lends the root.
    func steps(on connection: PostgresConnection) -> [PostgresStep] {
        let read = PostgresPointRead(id, of: table, PostgresReading(connection: connection))
        var steps = read.steps
        guard let last = steps.popLast() else { return [] }
        let end = PostgresStep(last.text, last.values) { (result) throws(PersistencyError) in
            defer { connection.rowBuffer.removeAll() }
            try last.evaluate(result)
            self.result = Result { () throws(PersistencyError) in try read.lend(to: self.body) }
        }
        return steps + [end]
    }
}
#endif
