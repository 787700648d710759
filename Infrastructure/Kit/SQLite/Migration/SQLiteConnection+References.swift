internal import LarderData
internal import LarderDomain

extension SQLiteConnection {
    /// Throws `incompatible` for references without a target. The error names the first ones.
    func checkReferences() throws(PersistencyError) {
        let found = try statement("PRAGMA foreign_key_check").first([]) { ($0.text(0), $0.text(2), $0.integer(3)) }
        guard let (table, parent, number) = found else { return }
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
