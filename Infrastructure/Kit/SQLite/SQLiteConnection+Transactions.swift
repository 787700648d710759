internal import LarderDomain

extension SQLiteConnection {
    /// Begins a transaction that reads from one snapshot.
    func begin() throws(PersistencyError) { try run(.begin) }

    /// Begins a transaction that writes; nobody else can until it ends.
    ///
    /// - Throws: `unavailable` (`busy`) when another process writes for longer than the busy timeout.
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

    private func run(_ control: TransactionControl) throws(PersistencyError) { try statement(control).run() }
}

/// What begins and ends transactions, and savepoints within them.
enum TransactionControl: Int, CaseIterable {
    case begin, beginImmediate, commit, rollback, savepoint, release, rollbackTo

    var text: String {
        switch self {
        case .begin: "BEGIN"
        case .beginImmediate: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .rollback: "ROLLBACK"
        case .savepoint: "SAVEPOINT member"
        case .release: "RELEASE member"
        case .rollbackTo: "ROLLBACK TO member"
        }
    }
}
