internal import GRDB
public import LarderData
public import LarderDomain

extension GRDBStore {
    /// Commits on the queue of GRDB's writer, which orders the commits, in one transaction.
    public func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        try await outcomes.recording(changes) { () async throws(PersistencyError) in try await store(changes) }
    }

    private func store(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        try checkOpen()
        if Task.isCancelled { throw .cancelled }
        try changes.check(against: schemas)
        return try await translating {
            if changes.isEmpty {
                try await pool.read { database in
                    try ChangeApplier(database: database, tables: tables).judge(changes.reads)
                }
                return CommitReceipt(token: lastToken)
            }
            return try await pool.writeWithoutTransaction { database in
                try commit(changes, to: database)
                return CommitReceipt(token: publish(changes))
            }
        }
    }

    /// Not `inTransaction`, which rolls back when the commit fails: the dangling reference is found before.
    private func commit(_ changes: ChangeSet, to database: Database) throws {
        let applier = ChangeApplier(database: database, tables: tables)
        try database.beginTransaction(.immediate)
        do {
            try applier.apply(changes)
            do {
                try database.commit()
            } catch DatabaseError.SQLITE_CONSTRAINT_FOREIGNKEY {
                throw try applier.dangling(changes, schemas)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_IOERR {
                throw PersistencyError.inDoubt(
                    changes.id, Unavailable(.failed, error.message ?? "input/output error", cause: error))
            }
        } catch {
            try? database.rollback()
            throw error
        }
    }
}
