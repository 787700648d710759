public import LarderData
public import LarderDomain

extension SQLiteStore: SelfCheckingStore {
    /// Runs SQLite's checks of pages, indexes, constraints and foreign keys. Returns at most 100 problems of each.
    ///
    /// SQLite has no checksums: a flipped bit within a value is detected only if it violates a rule.
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
            // The check itself fails at an unreadable page.
            guard error.isCorruption else { throw error }
            texts.append("\(error)")
        }
        return texts
    }
}
