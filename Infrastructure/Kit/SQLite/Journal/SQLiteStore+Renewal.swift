public import LarderData
public import LarderDomain

extension SQLiteStore: RenewableStore {
    /// Changes the row of the lifetime, and closes the store.
    public func renew() async throws(PersistencyError) {
        guard let writer else { throw .readOnly }
        try await writer.thread.run { () throws(PersistencyError) in
            try writer.read { connection throws(PersistencyError) in try SQLiteJournal(connection: connection).renew() }
        }
        await close()
    }
}

extension SQLiteJournal {
    /// Begins a new lifetime of tokens in a transaction. Without a journal, each opening of the store begins one.
    fileprivate func renew() throws(PersistencyError) {
        guard try exists() else { return }
        try connection.transaction(writes: true) { () throws(PersistencyError) in
            let text = "UPDATE \(Self.table) SET commit_id = ?1 WHERE position = 0"
            try connection.statement(text).run([.id(.lifetime)])
        }
    }
}
