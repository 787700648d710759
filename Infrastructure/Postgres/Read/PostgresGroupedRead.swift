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
