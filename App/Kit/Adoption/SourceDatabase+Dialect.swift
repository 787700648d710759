internal import LarderData

extension SourceDatabase.Dialect {
    var array: String { self == .sqlite ? "json_array" : "json_build_array" }

    /// A value as a text without loss.
    func text(_ column: String, _ type: ColumnType) -> String {
        switch (self, type) {
        case (.sqlite, .blob): "CASE WHEN \(column) IS NOT NULL THEN hex(\(column)) END"
        // A conversion to text has 15 digits only.
        case (.sqlite, .real):
            "CASE typeof(\(column)) WHEN 'real' THEN printf('%!.20g', \(column)) ELSE CAST(\(column) AS TEXT) END"
        case (.sqlite, _): "CASE WHEN NOT (\(isUnreadable(column))) THEN CAST(\(column) AS TEXT) END"
        case (.postgres, .blob): "encode(\(column), 'hex')"
        case (.postgres, _): "\(column)::text"
        }
    }

    /// Whether a column has bytes, as every column of SQLite may have, or U+0000, which no text in JSON has.
    private func isUnreadable(_ column: String) -> String {
        "typeof(\(column)) = 'blob' OR instr(\(column), char(0)) > 0"
    }

    /// The first of some columns that is not readable; null if all are.
    func unreadable(_ columns: [String]) -> String {
        guard self == .sqlite, !columns.isEmpty else { return "NULL" }
        let cases = columns.map { name in
            "WHEN \(isUnreadable("t." + AdoptedTable.quoted(name))) THEN '\(name.replacing("'", with: "''"))'"
        }
        return "CASE \(cases.joined(separator: " ")) END"
    }
}
