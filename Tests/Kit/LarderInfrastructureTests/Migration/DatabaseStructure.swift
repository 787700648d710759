import CLarderSQLite
import LarderData
import LarderDomain

@testable import LarderInfrastructure

/// The structure of a database as lines, without the order of columns: kinds of tables, columns, foreign keys, indexes.
enum DatabaseStructure {
    static func lines(_ path: String) throws -> [String] {
        let connection = try SQLiteConnection(path, flags: SQLITE_OPEN_READONLY)
        func rows(_ text: String) throws -> [String] {
            let statement = try connection.statement(text)
            defer { statement.finish() }
            var rows: [String] = []
            while try statement.step() { rows.append(statement.text(0)) }
            return rows
        }
        var lines = try rows(
            "SELECT printf('table %s without rowid %d strict %d', name, wr, strict) FROM pragma_table_list "
                + "WHERE schema = 'main'")
        lines += try rows(
            "SELECT printf('column %s.%s %s %d %s %d', m.name, c.name, c.type, c.\"notnull\", c.dflt_value, c.pk) "
                + "FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'")
        lines += try rows(
            "SELECT printf('key %s.%s %s.%s %s', m.name, k.\"from\", k.\"table\", k.\"to\", k.on_delete) "
                + "FROM sqlite_schema m, pragma_foreign_key_list(m.name) k WHERE m.type = 'table'")
        lines += try rows("SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
        lines += try rows(
            "SELECT printf('item %s %s %s', entity, kind, name) FROM larder_schema")
        return lines.sorted()
    }
}
