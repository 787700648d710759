internal import LarderData
internal import LarderDomain

extension SQLiteReading {
    /// Answers a request. A long one ends when the task is cancelled.
    func page<Item: Sendable>(
        _ request: ReadRequest, _ plan: SQLTablePlan,
        transform: @escaping (StorageObject) throws(PersistencyError) -> Item
    ) throws(PersistencyError) -> ReadResult<Item> {
        let query = try SQLReads.page(request, plan)
        let count = request.includesTotal ? try SQLReads.total(request.condition, plan) : nil
        var page = PageCollector(request, transform: transform)
        let total = try connection.untilCancelled { () throws(PersistencyError) in
            try snapshot(of: plan.schema, always: count != nil) { () throws(PersistencyError) -> Int? in
                let statement = try prepared(query)
                if plan.schema.isFlat {
                    defer { statement.finish() }
                    while try statement.step() { try page.append(root(statement, plan)) }
                } else {
                    var objects = try roots(statement, plan)
                    try fillOwned(&objects, plan)
                    page.waiting = objects
                }
                return try count.map(integer)
            }
        }
        return try page.result(total: total)
    }

    /// How many roots count under each key.
    func counts(
        _ request: CountRequest, _ plan: SQLTablePlan
    ) throws(PersistencyError) -> [Value: Int] {
        let query = try SQLReads.counts(request, plan)
        let type: ColumnType =
            switch request.key {
            case .column(let index): plan.schema.columns[index].type
            case .link: .id
            case .childCount: .integer
            }
        return try connection.untilCancelled { () throws(PersistencyError) in
            let statement = try prepared(query)
            defer { statement.finish() }
            var counts: [Value: Int] = [:]
            while try statement.step() { counts[statement.value(0, type)] = Int(statement.integer(1)) }
            return counts
        }
    }

    private func integer(_ query: SQLQuery) throws(PersistencyError) -> Int {
        let statement = try prepared(query)
        defer { statement.finish() }
        return try statement.step() ? Int(statement.integer(0)) : 0
    }

    private func prepared(_ query: SQLQuery) throws(PersistencyError) -> SQLiteStatement {
        let statement: SQLiteStatement
        do {
            statement = try connection.statement(query.text)
        } catch {
            // The text is right, so it is its size: an expression deeper, or a list longer, than SQLite SQLReads.
            guard case .unavailable(let trouble) = error, let cause = trouble.cause as? SQLiteError,
                cause.isAboutTheText
            else { throw error }
            throw .unsupportedQuery("it is too deep or too long for SQLite: \(cause.message)")
        }
        try statement.bind(query.values, from: 1)
        return statement
    }
}

/// Turns the roots of a page into items, and remembers where the page ended.
private struct PageCollector<Item: Sendable> {
    private let request: ReadRequest
    private let transform: (StorageObject) throws(PersistencyError) -> Item
    private var items: [Item] = []
    private var last: StorageObject?
    private var hasMore = false
    /// Roots that are yet to be turned into items.
    var waiting: [StorageObject] = []

    init(_ request: ReadRequest, transform: @escaping (StorageObject) throws(PersistencyError) -> Item) {
        self.request = request
        self.transform = transform
    }

    mutating func append(_ object: StorageObject) throws(PersistencyError) {
        guard let limit = request.limit else { return items.append(try transform(object)) }
        guard items.count < limit else { return hasMore = true }
        last = object
        items.append(try transform(object))
    }

    mutating func result(total: Int?) throws(PersistencyError) -> ReadResult<Item> {
        for (index, object) in waiting.enumerated() {
            if index % 256 == 255, Task.isCancelled { throw .cancelled }
            try append(object)
        }
        let next = hasMore ? last.map { Place(of: $0, in: request.order) } : nil
        return ReadResult(items: items, next: next, total: total)
    }
}
