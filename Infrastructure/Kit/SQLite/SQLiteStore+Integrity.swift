public import LarderData
public import LarderDomain

extension SQLiteStore: SelfCheckingStore {
    /// Runs SQLite's checks of pages, indexes, constraints and foreign keys, and checks positions in lists, the journal,
    /// and the existence of indexes. Returns at most 100 problems of each.
    ///
    /// SQLite has no checksums: a flipped bit within a value is detected only if it violates a rule.
    public func integrityProblems() async throws(PersistencyError) -> [String] {
        try await scan(isShort: false) { [plan] connection throws(PersistencyError) in
            try connection.untilCancelled { () throws(PersistencyError) in
                var problems = try connection.texts("PRAGMA integrity_check(100)").filter { $0 != "ok" }
                do throws(PersistencyError) {
                    problems += try SQLiteIntegrity(connection: connection, plan: plan).problems()
                } catch {
                    guard error.isCorruption else { throw error }
                    problems.append("\(error)")
                }
                return try problems
                    + connection.texts("PRAGMA foreign_key_check") { row in
                        let number = row.text(1).isEmpty ? "?" : row.text(1)
                        return
                            "table \(row.text(0)): row \(number) refers to a row of \(row.text(2)) that does not exist"
                    }
            }
        }
    }
}

extension SQLiteConnection {
    /// At most 100 texts of a result's rows.
    fileprivate func texts(
        _ text: String, _ body: (SQLiteStatement) -> String = { $0.text(0) }
    ) throws(PersistencyError) -> [String] {
        let statement = try statement(text)
        defer { statement.finish() }
        var texts: [String] = []
        do throws(PersistencyError) {
            while texts.count < 100, try statement.step() { texts.append(body(statement)) }
        } catch {
            // The check itself fails at an unreadable page.
            guard error.isCorruption else { throw error }
            texts.append("\(error)")
        }
        return texts
    }
}
