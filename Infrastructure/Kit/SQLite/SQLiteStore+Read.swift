public import LarderData
public import LarderDomain
internal import Synchronization

extension SQLiteStore {
    /// The maximum number of ids of a point read; more are a scan.
    private static let pointReads = 64
    /// The maximum number of roots of a short scan.
    private static let shortPage = 1000

    /// Reads on the caller's thread, in about 5 µs. Declines roots with blobs, and in memory.
    public nonisolated func lendAtOnce(
        _ id: RawID, of schema: EntitySchema, to body: RowVisitor
    ) throws(PersistencyError) -> LendAnswer {
        guard try lendAtOnce(CollectionOfOne(id), plan.root(schema), to: body) else { return .declined }
        return mustYield() ? .lentLast : .lent
    }

    private nonisolated func mustYield() -> Bool { readsAtOnce.wrappingAdd(1, ordering: .relaxed).newValue % 64 == 0 }

    /// Runs where the caller runs if there are at most 64 ids and no blobs; otherwise, and in memory, on a thread of
    /// the store. The body runs while the connection is lent.
    public nonisolated func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        let plan = try plan.root(schema)
        if try lendAtOnce(ids, plan, to: body) {
            if mustYield() { await Task.yield() }
            return
        }
        try await scan(isShort: ids.count <= Self.pointReads) { connection throws(PersistencyError) in
            try SQLiteReading(connection: connection).lend(ids, plan, to: body)
        }
    }

    /// Reads on the caller's thread. A commit invalidates the page caches of other connections, so reads after a commit
    /// use the connection that writes, until one of them finds it in use.
    private nonisolated func lendAtOnce(
        _ ids: some Collection<RawID>, _ plan: SQLTablePlan, to body: RowVisitor
    ) throws(PersistencyError) -> Bool {
        guard ids.count <= Self.pointReads, !plan.mayBeLarge else { return false }
        return try readAtOnce { connection throws(PersistencyError) in
            try SQLiteReading(connection: connection).lend(ids, plan, to: body)
        }
    }

    /// - Returns: `false`, and does not read, in memory and if the thread would wait.
    private nonisolated func readAtOnce(
        _ read: (SQLiteConnection) throws(PersistencyError) -> Void
    ) throws(PersistencyError) -> Bool {
        guard let pool else { return false }
        do {
            let sequence = writer?.sequence ?? 0
            if let writer, lastPooled.load(ordering: .relaxed) != sequence {
                if try writer.readAtOnce(read) { return true }
                lastPooled.store(sequence, ordering: .relaxed)
            }
            try pool.read(read)
            return true
        } catch {
            // The caller's thread must not wait. The first step reports `busy`, before the body receives a row. An error of
            // the body that says the same has no cause in SQLite.
            guard error.isBusy, error.sqliteError != nil else { throw error }
            return false
        }
    }

    /// Runs on a thread for scans, including the body, unless it finds at most 64 roots by a unique column, as a read by
    /// ids. Throws `cancelled` once the task is cancelled.
    public nonisolated func withRows(
        _ request: ReadRequest, _ body: @escaping RowBody
    ) async throws(PersistencyError) -> PageEnd {
        try hub.check(request.consistency)
        let plan = try plan.root(request.schema)
        if !plan.mayBeLarge, request.isByUniqueKey(atMost: Self.pointReads) {
            var end = PageEnd()
            let isRead = try readAtOnce { connection throws(PersistencyError) in
                end = try SQLiteReading(connection: connection).page(request, plan, body)
            }
            if isRead {
                if mustYield() { await Task.yield() }
                return end
            }
        }
        return try await scan(isShort: request.limit ?? .max <= Self.shortPage) { connection throws(PersistencyError) in
            try connection.untilCancelled { () throws(PersistencyError) in
                try SQLiteReading(connection: connection).page(request, plan, body)
            }
        }
    }

    /// Runs on a thread for scans, in SQL.
    public nonisolated func aggregates(_ request: AggregateRequest) async throws(PersistencyError) -> AggregateTable {
        try hub.check(request.consistency)
        let plan = try plan.root(request.schema)
        return try await scan(isShort: false) { connection throws(PersistencyError) in
            try connection.untilCancelled { () throws(PersistencyError) in
                try SQLiteReading(connection: connection).aggregates(request, plan)
            }
        }
    }

    /// Runs on a thread for scans, in memory on the store's thread, without waiting for the actor.
    nonisolated func scan<Result: Sendable>(
        isShort: Bool, _ body: @Sendable (SQLiteConnection) throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        if let pool {
            let busyMilliseconds = configuration.busyMilliseconds
            return try await scans.run(isShort: isShort) { thread throws(PersistencyError) in
                workLog.note(.scan, on: thread)
                if busyMilliseconds > 0 { workLog.note(.lockWait, on: thread) }
                return try pool.read(busyMilliseconds: busyMilliseconds, isLong: !isShort, body)
            }
        }
        guard let writer else { throw .closed }
        return try await writer.thread.run { () throws(PersistencyError) in
            workLog.note(.scan, on: writer.thread)
            return try writer.read(body)
        }
    }
}

extension ReadRequest {
    /// Whether it finds roots by up to this number of values of a unique column.
    fileprivate func isByUniqueKey(atMost count: Int) -> Bool {
        guard order.isEmpty, !includesTotal else { return false }
        switch condition {
        case .compare(.column(let column), .equal, .literal(let value)):
            return value != .null && schema.uniques.contains([column])
        case .isIn(.column(let column), let values):
            return values.count <= count && !values.contains(.null) && schema.uniques.contains([column])
        default: return false
        }
    }
}
