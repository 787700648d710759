internal import LarderData
internal import LarderDomain

extension SQLiteConnection {
    /// Starts a transaction that reads from one snapshot.
    func begin() throws(PersistencyError) {
        try run(.begin)
        rowsBefore = rowsWritten
    }

    /// Starts a write transaction, which excludes other writers. Throws `unavailable` (`busy`) if another process
    /// writes for longer than the busy timeout.
    func beginWriting() throws(PersistencyError) {
        try run(.beginImmediate)
        rowsBefore = rowsWritten
    }

    /// Commits. A transaction that changed rows, and with which the log may restart, also replaces the mark of the file.
    func commit() throws(PersistencyError) {
        let mark = isMarkDue && rowsWritten != rowsBefore ? fileMark?.next : nil
        try mark?.write(self)
        try run(.commit)
        if let mark { (fileMark, isMarkDue) = (mark, false) }
    }

    /// Rolls back the transaction if one is open: some errors roll it back automatically.
    func rollBack() {
        guard isInTransaction else { return }
        // Fails only if the transaction has already ended.
        try? run(.rollback)
    }

    /// Runs a body in a transaction. Rolls back after an error.
    func transaction<Result>(
        writes: Bool, _ body: () throws(PersistencyError) -> Result
    ) throws(PersistencyError) -> Result {
        try writes ? beginWriting() : begin()
        do throws(PersistencyError) {
            let result = try body()
            try commit()
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    func setSavepoint() throws(PersistencyError) { try run(.savepoint) }

    func releaseSavepoint() throws(PersistencyError) { try run(.release) }

    /// Rolls back to the savepoint and releases it; `ROLLBACK TO` alone does not.
    func rollBackSavepoint() throws(PersistencyError) {
        try run(.rollbackTo)
        try releaseSavepoint()
    }

    /// The first integer in the result of a pragma or query; 0 without a row.
    func integer(_ text: String) throws(PersistencyError) -> Int64 {
        try statement(text).first([]) { $0.integer(0) } ?? 0
    }

    /// The rows of a query, each converted by a function.
    func rows<Row>(
        _ text: String, _ values: [Value] = [], _ row: (SQLiteStatement) throws(PersistencyError) -> Row
    ) throws(PersistencyError) -> [Row] {
        let statement = try statement(text)
        defer { statement.finish() }
        try statement.bind(values, from: 1)
        var rows: [Row] = []
        while try statement.step() { rows.append(try row(statement)) }
        return rows
    }

    private func run(_ text: SQLStatementText) throws(PersistencyError) { try statement(text).run() }
}

/// The statements for transactions and savepoints. Their numbers, and that of the journal, precede those of a plan.
extension SQLStatementText {
    fileprivate static let begin = SQLStatementText(number: 0, text: "BEGIN")
    fileprivate static let beginImmediate = SQLStatementText(number: 1, text: "BEGIN IMMEDIATE")
    fileprivate static let commit = SQLStatementText(number: 2, text: "COMMIT")
    fileprivate static let rollback = SQLStatementText(number: 3, text: "ROLLBACK")
    fileprivate static let savepoint = SQLStatementText(number: 4, text: "SAVEPOINT member")
    fileprivate static let release = SQLStatementText(number: 5, text: "RELEASE member")
    fileprivate static let rollbackTo = SQLStatementText(number: 6, text: "ROLLBACK TO member")
}
