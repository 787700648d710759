internal import LarderDomain

extension SQLiteConnection {
    /// Begins a transaction that reads from one snapshot.
    func begin() throws(PersistencyError) { try run(.begin) }

    /// Begins a transaction that writes; nobody else can until it ends. Throws `unavailable` (`busy`) when another
    /// process writes for longer than the busy timeout.
    func beginWriting() throws(PersistencyError) { try run(.beginImmediate) }

    func commit() throws(PersistencyError) { try run(.commit) }

    /// Ends a transaction without a trace, if there still is one: some errors end it by themselves.
    func rollBack() {
        guard isInTransaction else { return }
        // It fails only where the transaction has just ended by itself, which is what was wanted.
        try? run(.rollback)
    }

    func setSavepoint() throws(PersistencyError) { try run(.savepoint) }

    func releaseSavepoint() throws(PersistencyError) { try run(.release) }

    /// Undoes what came after the savepoint, and takes the savepoint itself away, which `ROLLBACK TO` leaves standing.
    func rollBackSavepoint() throws(PersistencyError) {
        try run(.rollbackTo)
        try releaseSavepoint()
    }

    /// The one integer that a pragma or a query answers.
    func integer(_ text: String) throws(PersistencyError) -> Int64 {
        let statement = try statement(text)
        defer { statement.finish() }
        return try statement.step() ? statement.integer(0) : 0
    }

    private func run(_ text: SQLStatementText) throws(PersistencyError) { try statement(text).run() }
}

/// The statements that begin and end transactions, and savepoints within them. Their numbers precede those of a plan.
extension SQLStatementText {
    fileprivate static let begin = SQLStatementText(number: 0, text: "BEGIN")
    fileprivate static let beginImmediate = SQLStatementText(number: 1, text: "BEGIN IMMEDIATE")
    fileprivate static let commit = SQLStatementText(number: 2, text: "COMMIT")
    fileprivate static let rollback = SQLStatementText(number: 3, text: "ROLLBACK")
    fileprivate static let savepoint = SQLStatementText(number: 4, text: "SAVEPOINT member")
    fileprivate static let release = SQLStatementText(number: 5, text: "RELEASE member")
    fileprivate static let rollbackTo = SQLStatementText(number: 6, text: "ROLLBACK TO member")
}
