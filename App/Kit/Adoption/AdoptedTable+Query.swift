internal import LarderData

/// The query whose rows are arrays of arrays in JSON, one in a line, together: the name of an unreadable column, or null; the
/// values of the key; then those of the columns and links. All values are texts, which keep each digit, and bytes are
/// hexadecimal.
extension AdoptedTable {
    /// The columns of the table that the columns of the store need, in the order of the schema.
    var values: [(column: Column, origin: Origin)] {
        schema.columns.compactMap { column in columns[column.name].map { (column, $0) } }
    }

    var lists: [(name: String, links: Links)] {
        schema.links.compactMap { list in links[list.name].map { (list.name, $0) } }
    }

    func query(_ dialect: SourceDatabase.Dialect) -> String {
        let plain =
            key.map { ($0, ColumnType.text) }
            + values.flatMap { column, origin -> [(String, ColumnType)] in
                switch origin {
                case .column(let name): [(name, column.scale == nil ? column.type : .text)]
                case .reference(_, let names): names.map { ($0, .text) }
                }
            }
        let texts = plain.map { dialect.text("t." + Self.quoted($0.0), $0.1) }
        let parts =
            [dialect.unreadable(plain.filter { $0.1 != .blob }.map(\.0))] + texts
            + lists.map { list($0.links, dialect) }
        // A function has at most 100 arguments.
        let arrays = stride(from: 0, to: parts.count, by: 90).map { start in
            "\(dialect.array)(\(parts[start..<min(start + 90, parts.count)].joined(separator: ", ")))"
        }
        return "SELECT \(dialect.array)(\(arrays.joined(separator: ", "))) FROM \(Self.quoted(name)) AS t "
            + "ORDER BY \(key.map { "t." + Self.quoted($0) }.joined(separator: ", "))"
    }

    private func list(_ links: Links, _ dialect: SourceDatabase.Dialect) -> String {
        let targets = links.targets.map { "j." + Self.quoted($0) }
        let texts = targets.map { dialect.text($0, .text) }.joined(separator: ", ")
        let condition = zip(links.owner, key).map { "j.\(Self.quoted($0)) = t.\(Self.quoted($1))" }
        let source = "\(Self.quoted(links.table)) AS j WHERE \(condition.joined(separator: " AND "))"
        let order = targets.joined(separator: ", ")
        switch dialect {
        case .sqlite:
            return
                "json((SELECT json_group_array(json(link)) FROM (SELECT json_array(\(texts)) AS link FROM \(source) ORDER BY \(order))))"
        case .postgres:
            return "(SELECT coalesce(json_agg(json_build_array(\(texts)) ORDER BY \(order)), '[]') FROM \(source))"
        }
    }

    static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
}
