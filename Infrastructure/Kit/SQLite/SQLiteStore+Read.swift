public import LarderData
public import LarderDomain
internal import Synchronization

extension SQLiteStore {
    /// The maximum number of ids of a point read; more are a scan.
    private static let pointReads = 64
    /// The maximum number of roots of a short scan.
    private static let shortPage = 1000

    /// Runs where the caller runs if there are at most 64 ids and no blobs, in about 5 µs for one id; otherwise, and in
    /// memory, on a thread of the store. The body runs while the connection is lent.
    public nonisolated func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        let plan = try plan.root(schema)
        try await point(plan, count: ids.count) { connection throws(PersistencyError) in
            try SQLiteReading(connection: connection).lend(ids, plan, to: body)
        }
    }

    /// Runs point reads on the caller's thread, and scans and reads that must wait on a thread for scans.
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
                // The caller's thread must not wait. The first step reports `busy`, before the body receives a row.
                guard error.isBusy else { throw error }
            }
        }
        return try await scan(isShort: count <= Self.pointReads, body)
    }

    /// Reads on the caller's thread; `nil` in memory. A commit invalidates the page caches of other connections, so
    /// reads after a commit use the connection that writes, until one of them finds it in use.
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

    /// Runs on a thread for scans, including the body. Throws `cancelled` once the task is cancelled.
    public nonisolated func withRows(
        _ request: ReadRequest, _ body: @escaping RowBody
    ) async throws(PersistencyError) -> PageEnd {
        try hub.check(request.consistency)
        let plan = try plan.root(request.schema)
        return try await scan(isShort: request.limit ?? .max <= Self.shortPage) { connection throws(PersistencyError) in
            try SQLiteReading(connection: connection).page(request, plan, body)
        }
    }

    /// Runs on a thread for scans, and counts in SQL.
    public nonisolated func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        try hub.check(request.consistency)
        let plan = try plan.root(request.schema)
        return try await scan(isShort: false) { connection throws(PersistencyError) in
            try SQLiteReading(connection: connection).counts(request, plan)
        }
    }

    /// Runs on a thread for scans, in memory on the store's thread, without waiting for the actor.
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
