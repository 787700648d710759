package import LarderData
package import LarderDomain

package enum SQLReads {
    /// A page of roots, and one more row if there is a next page.
    package static func page(
        _ request: ReadRequest, _ table: SQLTable, _ dialect: any SQLDialect
    ) throws(PersistencyError) -> SQLQuery {
        var builder = SQLBuilder(dialect)
        var scope = SQLScope(table: table, alias: "t0")
        let (tables, tests, rest) = builder.source(of: request, in: &scope)
        var conditions = tests
        if rest != .always(true) { conditions.append(try builder.condition(rest, in: scope)) }
        if request.after != nil { conditions.append(try builder.condition(request.afterCondition, in: scope)) }
        var (order, operands) = ([String](), [String]())
        for term in request.order {
            let operand = try builder.operand(term.operand, in: scope)
            guard !operand.isPartial else { throw .unsupportedQuery("an order by a value that may be missing") }
            operands.append(operand.text)
            let start = operand.isIndexedByStart ? operand.kind.flatMap { dialect.start(of: operand.text, $0) } : nil
            for text in [start, operand.text].compactMap(\.self) {
                order.append(dialect.term(text, isDescending: term.isDescending))
            }
        }
        order.append(builder.column("t0", "id"))
        // A read of versions also selects the sort key, for the keyset position of the last root.
        let selection =
            request.content == .versions
            ? ([table.versionSelection] + operands).joined(separator: ", ") : table.selection
        var text = "SELECT \(selection) FROM \(tables)" + whereClause(conditions)
        text += " ORDER BY " + order.joined(separator: ", ")
        if let limit = request.limit {
            text += " LIMIT " + builder.bind(.integer(Int64(max(0, min(limit, Int.max - 1))) + 1))
        }
        return builder.query(text)
    }

    /// The number of roots that satisfy a condition, counted up to a limit.
    package static func total(
        _ condition: Condition, _ table: SQLTable, _ dialect: any SQLDialect, atMost limit: Int? = nil
    ) throws(PersistencyError) -> SQLQuery {
        var builder = SQLBuilder(dialect)
        let test = try builder.condition(condition, in: SQLScope(table: table, alias: "t0"))
        let roots =
            "FROM \(SQLText.quoted(table.name)) AS t0" + whereClause([test].filter { $0 != SQLText.constant(true) })
        guard let limit else { return builder.query("SELECT count(*) \(roots)") }
        let most = builder.bind(.integer(Int64(limit)))
        let count = "SELECT count(*) FROM (SELECT 1 \(roots) LIMIT \(most)) AS found"
        guard let list = table.schema.searchList, dialect.wordIndex(of: table.children[list]) != nil else {
            return builder.query(count)
        }
        // The rows of words are numbered from 1, so few of them need not be counted.
        let last = "SELECT max(\(SQLText.quoted("position"))) FROM \(SQLText.quoted(table.children[list].name))"
        return builder.query("SELECT CASE WHEN (\(last)) < \(most) THEN 0 ELSE (\(count)) END")
    }

    package static func counts(
        _ request: CountRequest, _ table: SQLTable, _ dialect: any SQLDialect
    ) throws(PersistencyError) -> SQLQuery {
        var builder = SQLBuilder(dialect)
        let scope = SQLScope(table: table, alias: "t0")
        let test = try builder.condition(request.condition, in: scope)
        let roots = "\(SQLText.quoted(table.name)) AS t0"
        switch request.key {
        case .column(let index):
            let key = builder.column("t0", table.schema.columns[index].name)
            return builder.query(
                "SELECT \(key), count(*) FROM \(roots)\(whereClause([test, "\(key) IS NOT NULL"])) GROUP BY \(key)")
        case .link(let index):
            let link = table.links[index]
            let (key, owner) = (builder.column("l", link.targetColumn), builder.column("l", link.owner))
            let isAll = request.condition == .always(true)
            let join = isAll ? "" : " JOIN \(roots) ON \(builder.column("t0", "id")) = \(owner)"
            return builder.query(
                "SELECT \(key), count(DISTINCT \(owner)) FROM \(SQLText.quoted(link.name)) AS l\(join)"
                    + whereClause(isAll ? [] : [test]) + " GROUP BY \(key)")
        case .childCount(let index):
            let key = try builder.operand(.childCount(index), in: scope).text
            return builder.query("SELECT \(key), count(*) FROM \(roots)\(whereClause([test])) GROUP BY 1")
        }
    }

    private static func whereClause(_ conditions: [String]) -> String {
        conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    }
}

extension ReadRequest {
    /// The types of the sort key, which a read of versions selects after the version.
    package var keyTypes: [ColumnType] {
        order.map { term in
            switch term.operand {
            case .id: .id
            case .column(let column): schema.columns[column].type
            default: .integer
            }
        }
    }
}

extension CountRequest {
    /// The type of the key, which a count selects first.
    package var keyType: ColumnType {
        switch key {
        case .column(let index): schema.columns[index].type
        case .link: .id
        case .childCount: .integer
        }
    }
}
