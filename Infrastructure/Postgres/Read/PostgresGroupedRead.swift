#if Postgres
internal import LarderData
internal import LarderDomain

/// The read of one root that is sent together with others.
///
/// `@unchecked Sendable` is safe because one task or thread at a time uses it: the caller's, and that of the group while the
/// caller waits.
final class PostgresGroupedRead: @unchecked Sendable {
    let id: RawID
    let table: PostgresTable
    let body: RowBody
    /// `nil` until the body has run.
    var result: Result<Void, PersistencyError>?

    init(_ id: RawID, of table: PostgresTable, _ body: @escaping RowBody) {
        (self.id, self.table, self.body) = (id, table, body)
    }
}

/// Reads that are sent together.
///
/// `@unchecked Sendable` is safe because one thread at a time uses it: the one that sends the reads, and then the one that
/// receives the results.
final class PostgresReadGroup: @unchecked Sendable {
    let reads: [PostgresGroupedRead]
    private var resume: (() -> Void)?

    /// - Parameter resume: Resumes the tasks that wait for the reads.
    init(reads: [PostgresGroupedRead], _ resume: @escaping () -> Void) {
        (self.reads, self.resume) = (reads, resume)
    }

    /// The statements of the reads: for each table, one for the roots, and one for each of their lists.
    func steps(on connection: PostgresConnection) -> [PostgresStep] {
        Dictionary(grouping: reads) { ObjectIdentifier($0.table) }.values.flatMap {
            Self.steps($0, $0[0].table, connection)
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
                    guard let row = rows.value[read.id] else { return }
                    try connection.rowBuffer.lend(row..<row + 1, of: table.schema, to: read.body)
                }
            }
        }
        return steps.dropLast() + [end]
    }

    /// Ends the reads. Later calls have no effect.
    func end(_ error: PersistencyError? = nil) {
        // Other errors may be those of one read, or of an idle connection that was lost before: each read runs on its own.
        if let error, error.postgresError?.isSilent ?? true {
            for read in reads where read.result == nil { read.result = .failure(error) }
        }
        resume?()
        resume = nil
    }
}
#endif
