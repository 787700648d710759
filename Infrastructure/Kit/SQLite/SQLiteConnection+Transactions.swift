internal import LarderData
internal import LarderDomain

extension SQLiteConnection {
    /// Starts a transaction that reads from one snapshot.
    func begin() throws(PersistencyError) {
        try run(0, "BEGIN")
        rowsBefore = rowsWritten
    }

    /// Starts a write transaction, which excludes other writers. Throws `unavailable` (`busy`) if another process
    /// writes for longer than the busy timeout.
    func beginWriting() throws(PersistencyError) {
        try run(1, "BEGIN IMMEDIATE")
        rowsBefore = rowsWritten
    }

    /// Commits. A transaction that changed rows, and with which the log may restart, also replaces the mark of the file.
    func commit() throws(PersistencyError) {
        let mark = isMarkDue && rowsWritten != rowsBefore ? fileMark?.next : nil
        try mark?.write(self)
        try run(2, "COMMIT")
        if let mark { (fileMark, isMarkDue) = (mark, false) }
    }

    /// Rolls back the transaction if one is open: some errors roll it back automatically.
    func rollBack() {
        guard isInTransaction else { return }
        // Fails only if the transaction has already ended.
        try? run(3, "ROLLBACK")
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

    func setSavepoint() throws(PersistencyError) { try run(4, "SAVEPOINT member") }

    func releaseSavepoint() throws(PersistencyError) { try run(5, "RELEASE member") }

    /// Rolls back to the savepoint and releases it; `ROLLBACK TO` alone does not.
    func rollBackSavepoint() throws(PersistencyError) {
        try run(6, "ROLLBACK TO member")
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

    /// - Parameter number: Its number among the fixed statements. Those of the journal and of a plan follow.
    private func run(_ number: Int, _ text: String) throws(PersistencyError) {
        try statement(SQLStatementText(number: number, text: text)).run()
    }
}
