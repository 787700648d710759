internal import LarderDomain

extension SQLiteConnection {
    /// Begins a transaction that reads from one snapshot.
    func begin() throws(PersistencyError) { try run("BEGIN") }

    /// Begins a transaction that writes; nobody else can until it ends.
    ///
    /// - Throws: `unavailable` (`busy`) when another process writes for longer than the busy timeout.
    func beginWriting() throws(PersistencyError) { try run("BEGIN IMMEDIATE") }

    func commit() throws(PersistencyError) { try run("COMMIT") }

    /// Ends a transaction without a trace, if there still is one: some errors end it by themselves.
    func rollBack() {
        guard isInTransaction else { return }
        // It fails only where the transaction has just ended by itself, which is what was wanted.
        try? run("ROLLBACK")
    }

    func setSavepoint() throws(PersistencyError) { try run("SAVEPOINT member") }

    func releaseSavepoint() throws(PersistencyError) { try run("RELEASE member") }

    /// Undoes what came after the savepoint, and takes the savepoint itself away, which `ROLLBACK TO` leaves standing.
    func rollBackSavepoint() throws(PersistencyError) {
        try run("ROLLBACK TO member")
        try releaseSavepoint()
    }

    /// The one integer that a pragma or a query answers.
    func integer(_ text: String) throws(PersistencyError) -> Int64 {
        let statement = try statement(text)
        defer { statement.finish() }
        return try statement.step() ? statement.integer(0) : 0
    }

    private func run(_ text: String) throws(PersistencyError) { try statement(text).run() }
}
