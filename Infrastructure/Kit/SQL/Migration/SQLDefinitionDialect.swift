package import LarderData
internal import LarderDomain

/// The differences between databases in the definitions of tables.
package protocol SQLDefinitionDialect: SQLDialect {
    /// Whether the definition of a table contains its foreign keys, and a table with another definition replaces it.
    /// Otherwise, keys are constraints, which are added at the end of a migration, and columns are altered in place.
    var rebuildsTables: Bool { get }
    /// Whether `ALTER TABLE` renames and drops columns, and renames a table together with the references to it.
    var altersColumns: Bool { get }
    /// Follows `CREATE TABLE` and `CREATE INDEX`.
    var ifMissing: String { get }
    /// The type of a column that contains values of each type, in the encoding of ``recorded(_:)``.
    var anyType: String { get }

    /// The options at the end of a table's definition.
    ///
    /// - Parameter isClustered: Whether the rows may be part of the primary key's index.
    func options(isClustered: Bool) -> String

    /// The type of a column, with the order of its values.
    func columnType(_ type: ColumnType) -> String

    /// A constant in a table's definition, where values cannot be bound.
    func constant(_ value: Value) -> String

    /// The name of an index or a constraint, within the limit of the database.
    func short(_ name: String) -> String

    /// The statements that create the index of the words of a search; none if the database has no such index.
    func definitions(ofWordIndex index: SQLIndex, on table: SQLTable, concurrently: Bool) -> [String]

    /// A column as a term of an index.
    func indexTerm(_ column: Column) -> String

    /// Whether the indexes of a table end with the id, which breaks ties.
    func indexesID(of table: SQLTable) -> Bool

    /// The lowest of some ids.
    func lowest(_ id: String) -> String

    /// A value in a column of ``anyType``.
    func recorded(_ value: Value) -> Value

    /// The reverse of ``recorded(_:)``; `nil` for bytes that it does not return.
    ///
    /// - Parameter type: The type of the value.
    func value(ofRecorded value: Value, _ type: ColumnType?) -> Value?
}

/// Statements that create tables and indexes.
extension SQLDefinitionDialect {
    /// Creates the table of a schema's objects, and those of its links.
    package func definitions(of table: SQLTable) -> [String] {
        [definition(of: table)] + table.links.map { definition(of: $0) }
    }

    /// - Parameter name: The name of the table, if it is not the schema's.
    package func definition(of table: SQLTable, named name: String? = nil) -> String {
        // SQLite stores the key with the column. An index of words knows its rows by numbers.
        let isNumbered = rebuildsTables && table.schema.isDerived
        let key = isNumbered ? "UNIQUE" : "PRIMARY KEY"
        var parts = ["\(SQLText.quoted("id")) \(type(.id)) NOT NULL" + (rebuildsTables ? " " + key : "")]
        let position = isNumbered ? "\(SQLText.quoted("position")) INTEGER PRIMARY KEY" : number("position")
        parts += table.owner.map { [reference($0, to: $0), position] } ?? [number("version")]
        parts += table.schema.columns.map { definition(of: $0) }
        if !rebuildsTables { parts.append("\(key) (\(SQLText.quoted("id")))") }
        return create(name ?? table.name, parts, isClustered: !isNumbered && !table.schema.hasBlobs)
    }

    package func definition(of link: SQLLinkTable, named name: String? = nil) -> String {
        create(
            name ?? link.name,
            [
                reference(link.owner, to: link.owner), number("position"),
                reference(link.targetColumn, to: link.target),
                "PRIMARY KEY (\(SQLText.quoted([link.owner, "position"])))",
            ], isClustered: true)
    }

    private func create(_ name: String, _ parts: [String], isClustered: Bool) -> String {
        "CREATE TABLE \(ifMissing)\(SQLText.quoted(name)) (\n    \(parts.joined(separator: ",\n    "))\n)"
            + options(isClustered: isClustered)
    }

    private func number(_ name: String) -> String { "\(SQLText.quoted(name)) \(type(.integer)) NOT NULL" }

    private func reference(_ column: String, to target: String) -> String {
        "\(SQLText.quoted(column)) \(type(.id)) NOT NULL\(references(target))"
    }

    /// A foreign key, checked at commit. It does not cascade: Data has computed the effects of deletes.
    private func references(_ target: String) -> String {
        rebuildsTables ? " " + deferredReference(to: target) : ""
    }

    package func deferredReference(to target: String) -> String {
        "REFERENCES \(SQLText.quoted(target)) (\(SQLText.quoted("id"))) DEFERRABLE INITIALLY DEFERRED"
    }

    /// - Parameter name: The name of the column, if it is not the declared one.
    private func definition(of column: Column, named name: String? = nil) -> String {
        SQLText.quoted(name ?? column.name) + " " + columnType(column.type) + (column.isNullable ? "" : " NOT NULL")
            + (column.reference.map { references($0.target) } ?? "")
            // Also used by an earlier version of the program, which does not know the column.
            + (column.defaultValue.map { " DEFAULT " + constant($0) } ?? "")
    }

    /// Adds a column to a table with rows. One that is computed later has a default until then.
    func additions(of column: Column, named name: String? = nil, to table: String) -> [String] {
        let alter = "ALTER TABLE \(SQLText.quoted(table))"
        let add = "\(alter) ADD COLUMN \(definition(of: column, named: name))"
        if column.isNullable || column.defaultValue != nil { return [add] }
        return [
            add + " DEFAULT \(constant(column.filler))",
            "\(alter) ALTER COLUMN \(SQLText.quoted(name ?? column.name)) DROP DEFAULT",
        ]
    }

    /// The statements that create an index.
    ///
    /// - Parameter concurrently: Whether others write meanwhile; then, it cannot be part of a transaction.
    package func definitions(of index: SQLIndex, on table: SQLTable, concurrently: Bool = false) -> [String] {
        if index.name == table.wordIndex {
            return definitions(ofWordIndex: index, on: table, concurrently: concurrently)
        }
        let isOwn = index.table == table.name
        let terms = index.columns.map { name in
            (isOwn ? table.schema.columns.first { $0.name == name } : nil).map(indexTerm) ?? SQLText.quoted(name)
        }
        let columns = (terms + (isOwn && indexesID(of: table) ? [SQLText.quoted("id")] : [])).joined(separator: ", ")
        return [creation(of: index, concurrently: concurrently) + "(\(columns))"]
    }

    /// The start of a statement that creates an index, before its terms.
    package func creation(of index: SQLIndex, concurrently: Bool) -> String {
        "CREATE INDEX \(concurrently ? "CONCURRENTLY " : "")\(ifMissing)\(SQLText.quoted(short(index.name))) "
            + "ON \(SQLText.quoted(index.table)) "
    }
}

extension Column {
    /// A value for rows in which the column is filled later.
    package var filler: Value {
        if let defaultValue { return defaultValue }
        if isNullable { return .null }
        return switch type {
        case .integer, .boolean, .timestamp: .integer(0)
        case .real: .real(0)
        case .text, .day: .text("")
        case .blob: .blob([])
        case .id: .id(RawID(high: 0, low: 0))
        }
    }
}
