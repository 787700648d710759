package import LarderData
package import LarderDomain

/// Reads rows on one connection. The number of statements depends on the types in an aggregate, not on its rows.
package struct SQLReading<Connection: SQLSession> {
    package let connection: Connection

    package init(connection: Connection) { self.connection = connection }

    /// Lends a page. Throws `cancelled` once the task is cancelled.
    package func page(
        _ request: ReadRequest, _ plan: SQLTablePlan, _ body: @escaping RowBody
    ) throws(PersistencyError) -> PageEnd {
        if Task.isCancelled { throw .cancelled }
        if request.isRanked {
            let count = try SQLReads.total(
                request.condition, plan.table, connection.dialect, atMost: request.rankLimit + 1)
            try connection.run([
                step(count) { rows throws(PersistencyError) in
                    try request.checkRanked(rows.advance() ? Int(rows.lentInteger(0)) : 0)
                }
            ])
        }
        let query = try SQLReads.page(request, plan.table, connection.dialect)
        var total: Int?
        var counts: [Step] = []
        if request.includesTotal {
            counts = [
                step(try SQLReads.total(request.condition, plan.table, connection.dialect)) {
                    rows throws(PersistencyError) in
                    total = try rows.advance() ? Int(rows.lentInteger(0)) : 0
                }
            ]
        }
        guard plan.schema.isFlat || request.content == .versions || request.projection != nil else {
            let next = try page(request, plan, query, counts, body)
            return PageEnd(next: next, total: total)
        }
        var next: Place?
        let rows = step(query) { rows throws(PersistencyError) in
            if Task.isCancelled { throw .cancelled }
            next = try lend(rows, request, body)
        }
        if counts.isEmpty {
            try connection.run([rows])
        } else {
            try connection.inSnapshot { begin, commit throws(PersistencyError) in
                try connection.run(begin + [rows] + counts + commit)
            }
        }
        return PageEnd(next: next, total: total)
    }

    /// Lends aggregates in batches, and checks for cancellation before each.
    private func page(
        _ request: ReadRequest, _ plan: SQLTablePlan, _ query: SQLQuery, _ counts: [Step], _ body: RowBody
    ) throws(PersistencyError) -> Place? {
        defer { connection.rowBuffer.removeAll() }
        var (roots, page) = (0..<0, 0..<0)
        var next: Place?
        var last: Int? { page.count < roots.count ? page.last : nil }
        let isRanked = request.isRanked
        let selection = step(query) { rows throws(PersistencyError) in
            roots = try copyRoots(rows, plan, request.limit, request.byteLimit, to: &connection.rowBuffer)
        }
        try connection.inSnapshot { begin, commit throws(PersistencyError) in
            try connection.run(begin + [selection] + counts)
            page = try copyLists(of: roots.prefix(request.limit ?? .max), plan, request, end: isRanked ? [] : commit)
            guard connection.isInTransaction else { return }
            guard isRanked, let last else { return try connection.run(commit) }
            try connection.run([place(of: last, request, plan) { next = $0 }] + commit)
        }
        if !isRanked, let last {
            next = Place(
                of: try connection.rowBuffer.storageObjects(last..<last + 1, of: plan.schema)[0], in: request.order)
        }
        for first in stride(from: 0, to: page.count, by: 256) {
            if Task.isCancelled { throw .cancelled }
            try connection.rowBuffer.lend(first..<min(first + 256, page.count), of: plan.schema, to: body)
        }
        return next
    }

    /// The statement that finds the keyset position of a root in the buffer, which lacks derived lists.
    private func place(
        of root: Int, _ request: ReadRequest, _ plan: SQLTablePlan, _ found: @escaping (Place) -> Void
    ) throws(PersistencyError) -> Step {
        let id = connection.rowBuffer.id(root)
        let isRoot = Condition.compare(.id, .equal, .literal(.id(id)))
        let one = ReadRequest(request.schema, where: isRoot, order: request.order, content: .versions)
        return step(try SQLReads.page(one, plan.table, connection.dialect)) { rows throws(PersistencyError) in
            if try rows.advance() { found(Place(values: rows.values(of: request), id: id)) }
        }
    }

    /// Lends a statement's rows in place.
    ///
    /// - Returns: The keyset position of the last row, if more rows follow.
    private func lend(
        _ source: Connection.Source, _ request: ReadRequest, _ body: RowBody
    ) throws(PersistencyError) -> Place? {
        var rows = Rows(
            source, of: request.projection?.schema ?? request.schema, content: request.content, limit: request.limit,
            byteLimit: request.byteLimit)
        try body(&rows)
        while try rows.next() {}
        guard rows.isFull else { return nil }
        let isWhole = request.content != .versions && request.projection == nil
        let last =
            isWhole
            ? Place(of: try rows.storageObject(), in: request.order)
            : Place(values: source.values(of: request), id: rows.id)
        return try source.advance() ? last : nil
    }

    /// The figures of each group. Throws `cancelled` once the task is cancelled.
    package func aggregates(
        _ request: AggregateRequest, _ plan: SQLTablePlan
    ) throws(PersistencyError) -> AggregateTable {
        do {
            return try aggregates(request, plan, inHalves: false)
        } catch {
            guard connection.isOverflow(error) else { throw error }
            return try aggregates(request, plan, inHalves: true)
        }
    }

    private func aggregates(
        _ request: AggregateRequest, _ plan: SQLTablePlan, inHalves: Bool
    ) throws(PersistencyError) -> AggregateTable {
        if Task.isCancelled { throw .cancelled }
        var table = AggregateTable(request)
        let types = request.columnTypes
        let query = try SQLReads.aggregates(request, plan.table, connection.dialect, inHalves: inHalves)
        try connection.run([
            step(query) { rows throws(PersistencyError) in
                while try rows.advance() {
                    let (keys, figures) = request.values(of: types.enumerated().map { rows.lentValue($0, $1) })
                    table.add(figures, to: keys)
                }
            }
        ])
        return table
    }

    package typealias Step = SQLStep<Connection.Source>

    private func step(
        _ query: SQLQuery, _ evaluate: @escaping (Connection.Source) throws(PersistencyError) -> Void
    ) -> Step {
        Step(query.text, query.values, evaluate)
    }
}

extension RowSource {
    /// The sort key of the current root, in the columns after its version and a projection.
    fileprivate func values(of request: ReadRequest) -> [Value] {
        let start = 2 + (request.projection?.operands.count ?? 0)
        return request.keyTypes.enumerated().map { lentValue($0 + start, $1) }
    }
}
