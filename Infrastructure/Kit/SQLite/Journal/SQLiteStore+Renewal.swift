public import LarderData
public import LarderDomain

extension SQLiteStore: RenewableStore {
    /// Changes the row of the lifetime, and closes the store.
    public func renew() async throws(PersistencyError) {
        guard let writeAccess else { throw .readOnly }
        try await writeAccess.thread.run { () throws(PersistencyError) in
            try writeAccess.writer.read { connection throws(PersistencyError) in
                try SQLiteJournal(connection: connection).renew()
            }
        }
        await close()
    }
}

extension SQLiteJournal {
    /// Begins a new lifetime of tokens in a transaction. Without a journal, each opening of the store begins one.
    fileprivate func renew() throws(PersistencyError) {
        guard try exists() else { return }
        try connection.beginWriting()
        do throws(PersistencyError) {
            let lifetime = RawID(high: .random(in: .min ... .max), low: 0)
            let update = try connection.statement("UPDATE \(Self.table) SET commit_id = ?1 WHERE position = 0")
            try update.bind(lifetime, at: 1)
            try update.run()
            try connection.commit()
        } catch {
            connection.rollBack()
            throw error
        }
    }
}
