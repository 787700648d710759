public import LarderData
public import LarderDomain
internal import Synchronization

extension SQLiteStore {
    /// More ids than this are a scan.
    private static let pointReads = 64
    /// A page of at most as many roots is a short scan.
    private static let shortPage = 1000

    /// Runs where the caller runs when the ids are few and the rows without blobs, about 5 µs for one; else on the
    /// store's thread. The body runs while the connection is lent.
    public nonisolated func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        let plan = try plan.root(schema)
        try await point(plan, count: ids.count) { connection throws(PersistencyError) in
            try SQLiteReading(connection: connection).lend(ids, plan, to: body)
        }
    }

    /// Reads what is short on the caller's own thread, everything else on the thread for scans.
    @inline(__always)
    private nonisolated func point<Result: Sendable>(
        _ plan: SQLTablePlan, count: Int,
        _ body: @Sendable (SQLiteConnection) throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        if count <= Self.pointReads, !plan.hasBlobs {
            do throws(PersistencyError) {
                if let result = try pointAtOnce(body) {
                    if readsAtOnce.wrappingAdd(1, ordering: .relaxed).newValue % 64 == 0 { await Task.yield() }
                    return result
                }
            } catch {
                // Waiting is not for the caller's thread. The first step waits, so the body has had no row yet.
                guard error.isBusy else { throw error }
            }
        }
        return try await scan(isShort: count <= Self.pointReads, body)
    }

    /// Reads on the caller's thread. A commit makes SQLite drop what other connections had cached, so a read right after a
    /// commit asks the connection that wrote, if it is free.
    private nonisolated func pointAtOnce<Result: Sendable>(
        _ body: (SQLiteConnection) throws(PersistencyError) -> Result
    ) throws(PersistencyError) -> Result? {
        switch source {
        case .memory: return nil
        case .shared(let pool): return try pool.read(body)
        case .file(let pool, let writeAccess):
            let sequence = writeAccess.writer.sequence
            if lastPooled.load(ordering: .relaxed) != sequence {
                if let result = try writeAccess.writer.readAtOnce(body) { return result }
                lastPooled.store(sequence, ordering: .relaxed)
            }
            return try pool.read(body)
        }
    }

    /// Runs on a thread for scans, the body included; ends with `cancelled` when the task is.
    public nonisolated func withRows(
        _ request: ReadRequest, _ body: @escaping RowBody
    ) async throws(PersistencyError) -> PageEnd {
        try hub.check(request.consistency)
        let plan = try plan.root(request.schema)
        return try await scan(isShort: request.limit ?? .max <= Self.shortPage) { connection throws(PersistencyError) in
            try SQLiteReading(connection: connection).page(request, plan, body)
        }
    }

    /// Runs on a thread for scans; the database counts.
    public nonisolated func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        try hub.check(request.consistency)
        let plan = try plan.root(request.schema)
        return try await scan(isShort: false) { connection throws(PersistencyError) in
            try SQLiteReading(connection: connection).counts(request, plan)
        }
    }

    nonisolated func scan<Result: Sendable>(
        isShort: Bool, _ body: @Sendable (SQLiteConnection) throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        switch source {
        case .file(let pool, _), .shared(let pool):
            let busyMilliseconds = configuration.busyMilliseconds
            return try await scans.run(isShort: isShort) { thread throws(PersistencyError) in
                workLog.note(.scan, on: thread)
                if busyMilliseconds > 0 { workLog.note(.lockWait, on: thread) }
                return try pool.read(busyMilliseconds: busyMilliseconds, body)
            }
        case .memory(let writeAccess):
            return try await writeAccess.thread.run { () throws(PersistencyError) in
                workLog.note(.scan, on: writeAccess.thread)
                return try writeAccess.writer.read(body)
            }
        }
    }
}
