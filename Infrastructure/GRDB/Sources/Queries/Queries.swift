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

    /// Selects the keys of a count, and the number of roots for each.
    func counts(_ request: CountRequest) throws(PersistencyError) -> SQL {
        var lowering = Lowering()
        let scope = Scope(table: self, alias: "t0")
        let test = try lowering.condition(request.condition, in: scope)
        switch request.key {
        case .column(let index):
            let key = scope.column(schema.columns[index].name)
            return """
                SELECT \(key), count(*) FROM \(sql: quotedName) AS t0 WHERE \(test) AND \(key) IS NOT NULL \
                GROUP BY 1
                """
        case .childCount(let list):
            let key = try lowering.operand(.childCount(list), in: scope).sql
            return "SELECT \(key), count(*) FROM \(sql: quotedName) AS t0 WHERE \(test) GROUP BY 1"
        case .link(let list):
            let link = links[list]
            return """
                SELECT \(sql: link.quotedTarget), count(DISTINCT \(sql: link.quotedOwner)) \
                FROM \(sql: link.quotedName) WHERE \(sql: link.quotedOwner) IN \
                (SELECT t0.id FROM \(sql: quotedName) AS t0 WHERE \(test)) GROUP BY 1
                """
        }
    }
}
