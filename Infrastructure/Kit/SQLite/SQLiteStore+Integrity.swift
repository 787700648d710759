public import LarderData
public import LarderDomain

extension SQLiteStore: SelfCheckingStore {
    /// SQLite's own check of all pages, indexes and constraints, and of foreign keys; at most 100 problems of each.
    ///
    /// SQLite keeps no checksums: a flipped bit within a value is found only where it breaks a rule.
    public func integrityProblems() async throws(PersistencyError) -> [String] {
        try await scan(isShort: false) { connection throws(PersistencyError) in
            try connection.untilCancelled { () throws(PersistencyError) in
                var problems = try connection.texts("PRAGMA integrity_check(100)").filter { $0 != "ok" }
                problems += try connection.texts(
                    "SELECT 'table ' || \"table\" || ': row ' || coalesce(rowid, '?') || ' refers to a row of ' || parent || "
                        + "' that does not exist' FROM pragma_foreign_key_check LIMIT 100")
                return problems
            }
        }
    }
}

extension SQLiteConnection {
    fileprivate func texts(_ text: String) throws(PersistencyError) -> [String] {
        let statement = try statement(text)
        defer { statement.finish() }
        var texts: [String] = []
        do throws(PersistencyError) {
            while try statement.step() { texts.append(statement.text(0)) }
        } catch {
            // Where the check itself comes upon a page that it cannot read.
            guard error.isCorruption else { throw error }
            texts.append("\(error)")
        }
        return texts
    }
}
