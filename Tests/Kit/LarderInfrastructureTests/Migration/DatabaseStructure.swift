import CLarderSQLite
import LarderData
import LarderDomain

@testable import LarderInfrastructure

/// The structure of a database as lines, without the order of columns: kinds of tables, columns, foreign keys, indexes.
enum DatabaseStructure {
    static func lines(_ path: String) throws -> [String] {
        let connection = try SQLiteConnection(path, flags: SQLITE_OPEN_READONLY)
        func rows(_ text: String, _ columns: [Int32]) throws -> [[String]] {
            let statement = try connection.uncached(text)
            var rows: [[String]] = []
            while try statement.step() { rows.append(columns.map { statement.text($0) }) }
            return rows
        }
        var lines: [String] = []
        for table in try rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'", [0, 1]) {
            let (name, options) = (table[0], table[1].split(separator: ")").last.map(String.init) ?? "")
            lines.append("table \(name) \(options)")
            lines += try rows("PRAGMA table_info(\(SQLText.quoted(name)))", [1, 2, 3, 4, 5]).map {
                "column \(name) \($0)"
            }
            lines += try rows("PRAGMA foreign_key_list(\(SQLText.quoted(name)))", [3, 2, 4, 6]).map {
                "key \(name) \($0)"
            }
        }
        lines += try rows("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL", [0]).map { $0[0] }
        lines += try rows("SELECT entity, kind, name FROM larder_schema", [0, 1, 2]).map { "item \($0)" }
        return lines.sorted()
    }
}
