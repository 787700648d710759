internal import LarderDomain

extension SQLiteConnection {
    /// Runs a body that receives the database, under an authorizer. The error of the body is part of the result.
    func run<Value: Sendable>(
        _ body: (SQLiteDatabase) throws -> Value, _ authorizer: SQLiteAuthorizer
    ) throws(PersistencyError) -> Result<Value, any Error> {
        try authorizer.watching(self) { () throws(PersistencyError) in
            try untilCancelled { Result { try body(SQLiteDatabase(connection: self, authorizer: authorizer)) } }
        }
    }

    /// Runs a body in a write transaction, which always ends with it.
    ///
    /// - Parameter names: The names of the store, which the body must not change.
    func write<Value: Sendable>(
        _ body: (SQLiteDatabase) throws -> Value, protecting names: Set<String>
    ) throws -> Value {
        try beginWriting()
        do {
            let before = try SQLiteFootprint(self, names)
            let value = try run(body, SQLiteAuthorizer(protected: names)).get()
            // The body may have caught the error of the statement that ended the transaction.
            guard isInTransaction else { throw PersistencyError.transactionEnded }
            try SQLiteFootprint(self, names).check(since: before)
            try commitOrDoubt()
            return value
        } catch {
            rollBack()
            throw error
        }
    }

    private func commitOrDoubt() throws(PersistencyError) {
        do throws(PersistencyError) {
            try commit()
        } catch {
            // The log may contain the transaction, and recovery would apply it when the database is opened.
            guard case .unavailable(let trouble) = error, error.isDeviceError else { throw error }
            throw .inDoubt(CommitID(), trouble)
        }
    }
}

extension PersistencyError {
    static var transactionEnded: PersistencyError {
        .unavailable(Unavailable(.failed, "a statement has rolled back the transaction, so nothing was stored"))
    }
}
