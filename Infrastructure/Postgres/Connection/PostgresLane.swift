#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// A thread with its connection, which is opened on first use and again after it was lost.
///
/// `@unchecked Sendable` is safe because the pool lends a lane to one operation at a time, which uses the connection on the
/// lane's thread, or on another one while the lane's thread has no work.
final class PostgresLane: @unchecked Sendable {
    let thread: StoreThread
    private let open: @Sendable () throws(PersistencyError) -> PostgresConnection
    private(set) var connection: PostgresConnection?
    /// Statements whose results are dropped.
    private var late: PostgresPipeline?
    private let operation = PostgresOperation()
    /// The statements sent on its connections.
    let activity = PostgresActivity()

    init(_ thread: StoreThread, _ open: @escaping @Sendable () throws(PersistencyError) -> PostgresConnection) {
        (self.thread, self.open) = (thread, open)
    }

    /// Runs work on the lane's thread. A connection that is lost, or in a transaction that could not be ended, is closed.
    ///
    /// An idle connection may have been lost since its last use, or its server may have become a replica. Then the work
    /// runs again on a new one: work that fails has stored nothing, or reports that as a result.
    func run<Result: Sendable>(
        _ work: @Sendable (PostgresConnection) throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        try await thread.run { () throws(PersistencyError) in
            if let idle = connection {
                do throws(PersistencyError) { return try run(work, on: idle) } catch {
                    // A server that does not answer is not asked twice.
                    guard let cause = error.postgresError, cause.needsNewConnection, !cause.isSilent else {
                        throw error
                    }
                }
            }
            let new = try open()
            new.activity = activity
            connection = new
            return try run(work, on: new)
        }
    }

    /// The same, interrupted when the task is cancelled; then it throws `cancelled`.
    func runUntilCancelled<Value: Sendable>(
        _ work: @Sendable (PostgresConnection) throws(PersistencyError) -> Value
    ) async throws(PersistencyError) -> Value {
        let number = operation.next
        return try await withTaskCancellationHandler {
            await result { () async throws(PersistencyError) in
                try await run { connection throws(PersistencyError) in
                    operation.begin(number, connection.canceller)
                    defer { if !operation.end() { connection.giveUp() } }
                    if Task.isCancelled { throw .cancelled }
                    do throws(PersistencyError) { return try work(connection) } catch {
                        throw Task.isCancelled && error.postgresError?.state == "57014" ? .cancelled : error
                    }
                }
            }
        } onCancel: {
            operation.cancel(number)
        }.get()
    }

    /// The outcome of a read on the calling thread.
    enum AtOnce {
        /// With the number of statements.
        case read(Int)
        /// The connection is not open, or the statements failed.
        case declined
        /// The results have not arrived: ``discardLate(_:)`` must follow.
        case late
    }

    /// Runs statements on the calling thread, if their results arrive within a millisecond.
    func readAtOnce(
        _ make: (PostgresConnection) -> PostgresPointReads,
        _ lend: (PostgresPointReads) throws(PersistencyError) -> Void
    ) throws(PersistencyError) -> AtOnce {
        guard let connection else { return .declined }
        let read = make(connection)
        guard connection.canSend(read.steps) else { return .declined }
        defer { connection.rowBuffer.removeAll() }
        do throws(PersistencyError) {
            let pipeline = try connection.send(read.steps[...])
            guard connection.hasResultSoon() else {
                late = pipeline
                return .late
            }
            try connection.receive(pipeline)
        } catch {
            // The read is repeated on the thread, which replaces a lost connection.
            return .declined
        }
        try lend(read)
        return .read(read.steps.count)
    }

    /// Receives and drops late results on the lane's thread.
    func discardLate(_ end: @escaping @Sendable () -> Void) {
        thread.enqueue {
            if let pipeline = self.late { self.connection?.discard(pipeline) }
            self.late = nil
            self.closeIfUnusable()
            end()
        }
    }

    private func result<Value>(
        _ work: () async throws(PersistencyError) -> Value
    ) async -> Result<Value, PersistencyError> {
        do throws(PersistencyError) { return .success(try await work()) } catch { return .failure(error) }
    }

    private func run<Value>(
        _ work: (PostgresConnection) throws(PersistencyError) -> Value, on connection: PostgresConnection
    ) throws(PersistencyError) -> Value {
        let result = Result { () throws(PersistencyError) in try work(connection) }
        end(result)
        return try result.get()
    }

    /// Ends the use of the connection.
    func end<Value>(_ result: Result<Value, PersistencyError>) {
        if case .failure(let error) = result, error.postgresError?.needsNewConnection == true { connection = nil }
        closeIfUnusable()
    }

    private func closeIfUnusable() { if connection?.isIdle == false { connection = nil } }

    func close() async { await thread.run { self.connection = nil } }
}
#endif
