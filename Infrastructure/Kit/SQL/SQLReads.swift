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
        // A read of versions or of a projection also selects the sort key, for the keyset position of the last root.
        var selection = [table.versionSelection]
        for operand in request.projection?.operands ?? [] {
            selection.append(try builder.operand(operand, in: scope).text)
        }
        let isWhole = request.content != .versions && request.projection == nil
        let selected = isWhole ? table.selection : (selection + operands).joined(separator: ", ")
        var text = " FROM \(tables)" + whereClause(conditions)
        let sorted = " ORDER BY " + order.joined(separator: ", ")
        text += sorted
        if let limit = request.limit {
            text += " LIMIT " + builder.bind(.integer(Int64(max(0, min(limit, Int.max - 1))) + 1))
        }
        guard request.computesValues else { return builder.query("SELECT \(selected)\(text)") }
        // Otherwise, SQLite computes the values of all roots before it sorts them.
        let id = builder.column("t0", "id")
        return builder.query(
            "SELECT \(selected) FROM \(SQLText.quoted(table.name)) AS t0 WHERE \(id) IN (SELECT \(id)\(text))\(sorted)")
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

    /// The keys and figures of each group; see ``AggregateRequest/columnTypes``.
    ///
    /// - Parameter inHalves: Whether a sum is computed in two halves, which is slower, and does not fail when a sum, or in
    ///   SQLite a partial sum, has more than 64 bits.
    package static func aggregates(
        _ request: AggregateRequest, _ table: SQLTable, _ dialect: any SQLDialect, inHalves: Bool
    ) throws(PersistencyError) -> SQLQuery {
        var builder = SQLBuilder(dialect)
        let scope = SQLScope(table: table, alias: "t0")
        if case .link(let index)? = request.keys.first, request.keys.count == 1, request.figures == [.count] {
            return try counts(request, by: table.links[index], scope, &builder)
        }
        var tests = [try builder.condition(request.condition, in: scope)].filter { $0 != SQLText.constant(true) }
        var source = "\(SQLText.quoted(table.name)) AS t0"
        var selection: [String] = []
        func name(_ index: Int) -> String { builder.column("t0", table.schema.columns[index].name) }
        for (number, key) in request.keys.enumerated() {
            switch key {
            case .column(let index): selection.append(name(index))
            case .day(let index):
                let day = 86_400_000_000
                selection.append(
                    "(\(name(index)) / \(day)) - CASE WHEN \(name(index)) % \(day) < 0 THEN 1 ELSE 0 END")
            case .childCount(let index): selection.append(try builder.operand(.childCount(index), in: scope).text)
            case .link(let index):
                let (link, alias) = (table.links[index], "l\(number)")
                let (owner, target) = (SQLText.quoted(link.owner), SQLText.quoted(link.targetColumn))
                source +=
                    " JOIN (SELECT DISTINCT \(owner), \(target) FROM \(SQLText.quoted(link.name))) AS \(alias) "
                    + "ON \(alias).\(owner) = \(builder.column("t0", "id"))"
                selection.append("\(alias).\(target)")
            }
            if case .column(let index) = key { tests.append("\(name(index)) IS NOT NULL") }
            if case .day(let index) = key { tests.append("\(name(index)) IS NOT NULL") }
        }
        for figure in request.figures {
            switch figure {
            case .count: selection.append("count(*)")
            case .sum(let index):
                let halves = ["\(name(index)) >> 32", "\(name(index)) & 4294967295"].map(dialect.sum)
                selection += inHalves ? halves : ["0", dialect.sum(name(index))]
                selection.append("count(\(name(index)))")
            case .minimum(let index): selection.append("min(\(name(index)))")
            case .maximum(let index): selection.append("max(\(name(index)))")
            }
        }
        let groups = request.keys.indices.map { String($0 + 1) }.joined(separator: ", ")
        return builder.query(
            "SELECT \(selection.joined(separator: ", ")) FROM \(source)\(whereClause(tests))"
                + (groups.isEmpty ? "" : " GROUP BY \(groups)"))
    }

    /// The number of roots by each id in a list of links, which needs no table of roots without a condition.
    private static func counts(
        _ request: AggregateRequest, by link: SQLLinkTable, _ scope: SQLScope, _ builder: inout SQLBuilder
    ) throws(PersistencyError) -> SQLQuery {
        let (key, owner) = (builder.column("l", link.targetColumn), builder.column("l", link.owner))
        let isAll = request.condition == .always(true)
        let roots = "\(SQLText.quoted(scope.table.name)) AS t0"
        let join = isAll ? "" : " JOIN \(roots) ON \(builder.column("t0", "id")) = \(owner)"
        let tests = isAll ? [] : [try builder.condition(request.condition, in: scope)]
        return builder.query(
            "SELECT \(key), count(DISTINCT \(owner)) FROM \(SQLText.quoted(link.name)) AS l\(join)"
                + whereClause(tests) + " GROUP BY \(key)")
    }

    private static func whereClause(_ conditions: [String]) -> String {
        conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    }
}

extension ReadRequest {
    /// Whether a page of some roots has values that are more than columns.
    fileprivate var computesValues: Bool {
        guard limit != nil, !isRanked, let projection else { return false }
        return projection.operands.contains { if case .column = $0 { false } else { true } }
    }

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
