internal import GRDB
internal import LarderData
internal import LarderDomain

extension StoredTable {
    /// Selects the roots of a page, and one more if there is a next page.
    func page(_ request: ReadRequest) throws(PersistencyError) -> SQL {
        var lowering = Lowering()
        let scope = Scope(table: self, alias: "t0")
        let test = try lowering.condition(.and([request.condition, request.afterCondition]), in: scope)
        var order: SQL = ""
        for term in request.order {
            let operand = try lowering.operand(term.operand, in: scope)
            guard !operand.isPartial else { throw .unsupportedQuery("an order by a value that may be missing") }
            order += "\(operand.sql)\(sql: term.isDescending ? " DESC" : ""), "
        }
        let page: SQL =
            "SELECT \(sql: selection) FROM \(sql: quotedName) AS t0 WHERE \(test) ORDER BY \(order)t0.id"
        return request.limit.map { "\(page) LIMIT \(max(0, min($0, .max - 1)) + 1)" } ?? page
    }

    func total(_ condition: Condition) throws(PersistencyError) -> SQL {
        var lowering = Lowering()
        let test = try lowering.condition(condition, in: Scope(table: self, alias: "t0"))
        return "SELECT count(*) FROM \(sql: quotedName) AS t0 WHERE \(test)"
    }

    /// Selects the keys and figures of each group; see `AggregateRequest.columnTypes`.
    func aggregates(_ request: AggregateRequest) throws(PersistencyError) -> SQL {
        var lowering = Lowering()
        let scope = Scope(table: self, alias: "t0")
        var tests = try lowering.condition(request.condition, in: scope)
        var source: SQL = "\(sql: quotedName) AS t0"
        var selection: [SQL] = []
        for (number, key) in request.keys.enumerated() {
            switch key {
            case .column(let index):
                let column = scope.column(schema.columns[index].name)
                tests += " AND \(column) IS NOT NULL"
                selection.append(column)
            case .day(let index):
                let instant = scope.column(schema.columns[index].name)
                tests += " AND \(instant) IS NOT NULL"
                selection.append("\(instant) / 86400000000 - (\(instant) % 86400000000 < 0)")
            case .childCount(let list): selection.append(try lowering.operand(.childCount(list), in: scope).sql)
            case .link(let list):
                let (link, alias) = (links[list], "l\(number)")
                source += """
                     JOIN (SELECT DISTINCT \(sql: link.quotedOwner), \(sql: link.quotedTarget) \
                    FROM \(sql: link.quotedName)) AS \(sql: alias) ON \(sql: alias).\(sql: link.quotedOwner) = t0.id
                    """
                selection.append("\(sql: alias).\(sql: link.quotedTarget)")
            }
        }
        for figure in request.figures {
            switch figure {
            case .count: selection.append("count(*)")
            case .sum(let index):
                let column = scope.column(schema.columns[index].name)
                selection.append("coalesce(sum(\(column) >> 32), 0), coalesce(sum(\(column) & 4294967295), 0)")
                selection.append("count(\(column))")
            case .minimum(let index): selection.append("min(\(scope.column(schema.columns[index].name)))")
            case .maximum(let index): selection.append("max(\(scope.column(schema.columns[index].name)))")
            }
        }
        let query: SQL = "SELECT \(selection.joined(separator: ", ")) FROM \(source) WHERE \(tests)"
        let groups = request.keys.indices.map { String($0 + 1) }.joined(separator: ", ")
        return groups.isEmpty ? query : "\(query) GROUP BY \(sql: groups)"
    }
}
