#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

extension PostgresReading {
    /// Lends a page. Throws `cancelled` once the task is cancelled.
    func page(
        _ request: ReadRequest, _ plan: PostgresTable, _ body: RowBody
    ) throws(PersistencyError) -> PageEnd {
        if Task.isCancelled { throw .cancelled }
        let query = try SQLReads.page(request, plan.table, .postgres)
        let count = request.includesTotal ? try SQLReads.total(request.condition, plan.table, .postgres) : nil
        if plan.schema.isFlat || request.content == .versions {
            let (result, total) = try flat(query, count)
            if Task.isCancelled { throw .cancelled }
            return PageEnd(next: try lend(result, request, body), total: total)
        }
        return try page(request, plan, query, count, body)
    }

    private func flat(
        _ query: SQLQuery, _ count: SQLQuery?
    ) throws(PersistencyError) -> (PostgresResult, Int?) {
        guard let count else { return (try connection.run(query), nil) }
        let (rows, total) = (Box<PostgresResult?>(nil), Box<Int?>(nil))
        let page = PostgresStep(query.text, query.values) { rows.value = $0 }
        try snapshot { () throws(PersistencyError) in
            try connection.run([Self.begin, page, Self.step(count, total), Self.commit])
        }
        guard let result = rows.value else { throw .malformed("a statement without a result") }
        return (result, total.value)
    }

    private static func step(_ count: SQLQuery, _ total: Box<Int?>) -> PostgresStep {
        PostgresStep(count.text, count.values) { total.value = $0.advance() ? Int($0.integer(0)) : 0 }
    }

    /// Lends aggregates in batches, and checks for cancellation before each.
    private func page(
        _ request: ReadRequest, _ plan: PostgresTable, _ query: SQLQuery, _ count: SQLQuery?, _ body: RowBody
    ) throws(PersistencyError) -> PageEnd {
        defer { connection.rowBuffer.removeAll() }
        let (total, roots) = (Box<Int?>(nil), Box(0..<0))
        let isSummed = request.order.contains { if case .childSum = $0.operand { true } else { false } }
        let next = Box<Place?>(nil)
        var page = 0..<0
        let selection = PostgresStep(query.text, query.values) { (result) throws(PersistencyError) in
            roots.value = try append(result, plan)
        }
        try snapshot { () throws(PersistencyError) in
            try connection.run([Self.begin, selection] + (count.map { [Self.step($0, total)] } ?? []))
            page = try copyLists(
                of: roots.value.prefix(request.limit ?? .max), plan, request, end: isSummed ? nil : Self.commit)
            guard connection.isInTransaction else { return }
            var steps = [Self.commit]
            if isSummed, let last = page.last, page.count < roots.value.count {
                steps.insert(try place(of: last, request, plan, next), at: 0)
            }
            try connection.run(steps)
        }
        if !isSummed, let last = page.last, page.count < roots.value.count {
            let last = try connection.rowBuffer.storageObjects(last..<last + 1, of: plan.schema)
            next.value = Place(of: last[0], in: request.order)
        }
        for first in stride(from: 0, to: page.count, by: 256) {
            if Task.isCancelled { throw .cancelled }
            try connection.rowBuffer.lend(first..<min(first + 256, page.count), of: plan.schema, to: body)
        }
        return PageEnd(next: next.value, total: total.value)
    }

    /// Copies the lists of a page's roots, in pieces if the page has a limit of bytes.
    ///
    /// - Parameter end: A statement after the last one, unless the limit is exceeded.
    /// - Returns: The roots up to the one that exceeds the limit.
    private func copyLists(
        of roots: Range<Int>, _ plan: PostgresTable, _ request: ReadRequest, end: PostgresStep?
    ) throws(PersistencyError) -> Range<Int> {
        guard var bytes = request.byteLimit, !roots.isEmpty else {
            try copyLists(of: [(roots, plan)], request.content, end: end)
            return roots
        }
        for first in stride(from: 0, to: roots.count, by: RowBuffer.pagePiece) {
            let piece = first..<min(first + RowBuffer.pagePiece, roots.count)
            try copyLists(of: [(piece, plan)], request.content, end: piece.upperBound == roots.count ? end : nil)
            if let last = connection.rowBuffer.end(of: piece, of: plan.schema, within: &bytes) { return 0..<last }
        }
        return roots
    }

    /// The statement that finds the keyset position of a root in the buffer, which lacks derived lists.
    private func place(
        of root: Int, _ request: ReadRequest, _ plan: PostgresTable, _ place: Box<Place?>
    ) throws(PersistencyError) -> PostgresStep {
        let id = connection.rowBuffer.id(root)
        let isRoot = Condition.compare(.id, .equal, .literal(.id(id)))
        let one = ReadRequest(request.schema, where: isRoot, order: request.order, content: .versions)
        let query = try SQLReads.page(one, plan.table, .postgres)
        return PostgresStep(query.text, query.values) { result in
            if result.advance() { place.value = Place(values: result.values(of: request), id: id) }
        }
    }

    /// Lends a statement's rows in place.
    ///
    /// - Returns: The keyset position of the last row, if more rows follow.
    private func lend(
        _ result: PostgresResult, _ request: ReadRequest, _ body: RowBody
    ) throws(PersistencyError) -> Place? {
        var rows = Rows(
            result, of: request.schema, content: request.content, limit: request.limit, byteLimit: request.byteLimit)
        try body(&rows)
        while try rows.next() {}
        guard rows.isFull else { return nil }
        let last =
            switch request.content {
            case .rows, .complete: Place(of: try rows.storageObject(), in: request.order)
            case .versions: Place(values: result.values(of: request), id: rows.id)
            }
        return result.advance() ? last : nil
    }

    func counts(_ request: CountRequest, _ plan: PostgresTable) throws(PersistencyError) -> [Value: Int] {
        if Task.isCancelled { throw .cancelled }
        let result = try connection.run(SQLReads.counts(request, plan.table, .postgres))
        var counts: [Value: Int] = [:]
        while result.advance() { counts[result.value(0, request.keyType)] = Int(result.integer(1)) }
        return counts
    }
}

extension PostgresResult {
    /// The sort key of the current root, in the columns after its version.
    fileprivate func values(of request: ReadRequest) -> [Value] {
        request.keyTypes.enumerated().map { value($0 + 2, $1) }
    }
}
#endif
