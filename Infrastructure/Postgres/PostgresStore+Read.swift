#if Postgres
public import LarderData
public import LarderDomain
internal import LarderInfrastructure
internal import Synchronization

extension PostgresStore {
    /// The number of consecutive reads on the caller's thread.
    private static let readsAtOnce = 16

    /// Reads on the caller's thread if no other operation runs and the server answers promptly: this is short, while a
    /// change of thread and back costs as much as the server's work. Declines aggregates with blobs, and with owned objects
    /// that have lists.
    public func lendAtOnce(
        _ id: RawID, of schema: EntitySchema, to body: RowVisitor
    ) throws(PersistencyError) -> LendAnswer {
        let table = try plan.root(schema)
        guard table.isShort else { return .declined }
        guard try pool.readAtOnce(id, of: table, to: body) else { return .declined }
        return reads.wrappingAdd(1, ordering: .relaxed).newValue % Self.readsAtOnce == 0 ? .lentLast : .lent
    }

    /// Runs on the thread of a connection, including the body. Concurrent reads of one root each are sent together.
    public func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        let table = try plan.root(schema)
        if ids.count == 1, table.isShort {
            if Task.isCancelled { throw .cancelled }
            if try await readGroups.run(PostgresGroupedRead(ids[0], of: table, body)) != nil { return }
        }
        try await read { (reading) throws(PersistencyError) in try reading.lend(ids, table, to: body) }
    }

    /// Runs on the thread of a connection, including the body. Throws `cancelled` once the task is cancelled.
    public func withRows(
        _ request: ReadRequest, _ body: @escaping RowBody
    ) async throws(PersistencyError) -> PageEnd {
        try check(request.consistency)
        let table = try plan.root(request.schema)
        return try await read(request.consistency) { (reading) throws(PersistencyError) in
            try reading.page(request, table, body)
        }
    }

    /// In SQL.
    public func aggregates(_ request: AggregateRequest) async throws(PersistencyError) -> AggregateTable {
        try check(request.consistency)
        let table = try plan.root(request.schema)
        return try await read(request.consistency) { (reading) throws(PersistencyError) in
            try reading.aggregates(request, table)
        }
    }

    func read<Result: Sendable>(
        _ consistency: ReadConsistency = ReadConsistency(),
        _ body: @Sendable (PostgresReading) throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        let workLog = workLog
        let work = { @Sendable (connection: PostgresConnection, thread: StoreThread) throws(PersistencyError) in
            workLog.note(.scan, on: thread)
            workLog.note(.lockWait, on: thread)
            return try body(PostgresReading(connection: connection))
        }
        if consistency.preference == .replica, let replica,
            let result = try await replica.read(including: consistency.token, work)
        {
            return result
        }
        return try await pool.run(untilCancelled: true, work)
    }

    private func check(_ consistency: ReadConsistency) throws(PersistencyError) {
        try pool.checkOpen()
        guard let token = consistency.token, token.lifetime != lifetime else { return }
        throw .unsupportedQuery("a token of another lifetime of the store")
    }
}
#endif
