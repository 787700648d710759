package import LarderDomain

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
            throw .unrecorded(trouble)
        }
    }
}

extension PersistencyError {
    /// A transaction in doubt that the journal does not record. Its id has no time, by which its absence from the journal
    /// would be taken for that of the transaction: the outcome stays unknown.
    static func unrecorded(_ trouble: Unavailable) -> PersistencyError {
        let high = UInt64.random(in: .min ... .max) & ~0xF000
        return .inDoubt(CommitID(RawID(high: high, low: .random(in: .min ... .max))), trouble)
    }

    package static var transactionEnded: PersistencyError {
        .failed("a statement has rolled back the transaction, so nothing was stored")
    }
}
