internal import LarderData
internal import LarderDomain

extension SQLiteConnection {
    /// Throws `incompatible` for references without a target. The error names the first ones.
    func checkReferences() throws(PersistencyError) {
        let statement = try statement("PRAGMA foreign_key_check")
        defer { statement.finish() }
        guard try statement.step() else { return }
        let (table, parent, number) = (statement.text(0), statement.text(2), statement.integer(3))
        let name = try foreignKeys(of: table).first { $0.number == number }?.column ?? ""
        let quoted = SQLText.quoted(name)
        let missing = try rows(
            "SELECT DISTINCT hex(\(quoted)) FROM \(SQLText.quoted(table)) WHERE \(quoted) IS NOT NULL AND \(quoted) NOT IN "
                + "(SELECT \(SQLText.quoted("id")) FROM \(SQLText.quoted(parent))) LIMIT 3", [], [.text])
        let ids = missing.map { row in if case .text(let hex) = row[0] { RawID(hex)?.description ?? hex } else { "" } }
        throw .incompatible(
            "\(table).\(name) refers to objects of \(parent) that do not exist: \(ids.joined(separator: ", "))")
    }
}
