#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// A thread with its connection, which is opened on first use and again after it was lost.
///
/// `@unchecked Sendable` is safe because the pool lends a lane to one operation at a time, which uses the connection on the
/// lane's thread, or on another one while the lane's thread has no work.
final class PostgresLane: @unchecked Sendable {
    private let configuration: PostgresStore.Configuration
    private let thread: StoreThread
    /// Requests to interrupt operations wait for the server.
    private let cancelThread = StoreThread(label: "store.postgres.cancel")
    private var connection: PostgresConnection?
    /// The statements sent on its connections.
    let activity = PostgresActivity()

    /// - Parameter name: The last part of the thread's label.
    init(_ configuration: PostgresStore.Configuration, _ name: String) {
        (self.configuration, thread) = (configuration, StoreThread(label: "store.postgres.\(name)"))
    }

    /// Runs work on the lane's thread. A connection that is lost, or in a transaction that could not be ended, is closed.
    ///
    /// An idle connection may have been lost since its last use, or its server may have become a replica. Then the work
    /// runs again on a new one: work that fails has stored nothing, or reports that as a result.
    func run<Result: Sendable>(
        _ work: @Sendable (PostgresConnection, StoreThread) throws(PersistencyError) -> Result
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
            let new = try PostgresConnection(configuration)
            new.activity = activity
            connection = new
            return try run(work, on: new)
        }
    }

    /// The same, interrupted when the task is cancelled; then it throws `cancelled`.
    func runUntilCancelled<Value: Sendable>(
        _ work: @Sendable (PostgresConnection, StoreThread) throws(PersistencyError) -> Value
    ) async throws(PersistencyError) -> Value {
        let operation = PostgresOperation()
        return try await withTaskCancellationHandler {
            await Result { () async throws(PersistencyError) in
                try await run { connection, thread throws(PersistencyError) in
                    operation.begin(connection.canceller)
                    connection.operation = operation
                    defer { connection.endInterruption() }
                    if Task.isCancelled { throw .cancelled }
                    do throws(PersistencyError) { return try work(connection, thread) } catch {
                        throw Task.isCancelled && error.postgresError?.state == "57014" ? .cancelled : error
                    }
                }
            }
        } onCancel: {
            operation.cancel(on: cancelThread)
        }.get()
    }

    /// Reads a root on the calling thread, if the results arrive within a millisecond.
    ///
    /// - Parameter end: Called when the lane is free again.
    /// - Returns: Whether it has read. Otherwise, the read is repeated on the thread, which replaces a lost connection.
    func readAtOnce(
        _ id: RawID, of table: SQLTablePlan, to body: RowVisitor, end: @escaping @Sendable () -> Void
    ) throws(PersistencyError) -> Bool {
        guard let connection, case let read = PostgresPointReads([id], of: table, on: connection),
            case let exchange = PostgresExchange(read.steps), exchange.send(on: connection)
        else {
            closeIfUnusable()
            end()
            return false
        }
        let receive = { @Sendable in
            defer { self.closeIfUnusable() }
            return exchange.receive(on: connection)
        }
        guard connection.hasResultSoon() else {
            thread.enqueue {
                _ = receive()
                connection.rowBuffer.removeAll()
                end()
            }
            return false
        }
        defer {
            connection.rowBuffer.removeAll()
            end()
        }
        guard case .success = receive() else { return false }
        _ = try read.lend(id, to: body)
        return true
    }

    /// Sends statements on the calling thread, and evaluates the results where they arrive, without a thread that waits
    /// for this connection: a change of thread and back costs as much as the server's work. Only groups use it, because
    /// other operations block. It is not interrupted by a cancellation.
    ///
    /// - Parameters:
    ///   - make: Not called if the connection is not open. Its statements are not sent if they are not short.
    ///   - done: Called when the lane is free again.
    func exchange(
        _ make: (PostgresConnection) -> PostgresExchange,
        _ done: @escaping @Sendable (Result<Void, PersistencyError>) -> Void
    ) {
        guard let readiness = PostgresReadiness.shared, let connection else { return done(.success(())) }
        let exchange = make(connection)
        guard exchange.send(on: connection) else {
            closeIfUnusable()
            return done(.success(()))
        }
        exchange.wait(for: connection, readiness) { result in
            self.end(result)
            done(result)
        }
    }

    private func run<Value>(
        _ work: (PostgresConnection, StoreThread) throws(PersistencyError) -> Value, on connection: PostgresConnection
    ) throws(PersistencyError) -> Value {
        let result = Result { () throws(PersistencyError) in try work(connection, thread) }
        end(result)
        return try result.get()
    }

    /// Ends the use of the connection.
    private func end<Value>(_ result: Result<Value, PersistencyError>) {
        if case .failure(let error) = result, error.postgresError?.needsNewConnection == true { connection = nil }
        closeIfUnusable()
    }

    private func closeIfUnusable() { if connection?.isIdle == false { connection = nil } }

    func close() async { await thread.run { self.connection = nil } }
}

extension Result {
    /// The result of an asynchronous body.
    init(awaiting body: () async throws(Failure) -> Success) async {
        do throws(Failure) { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
#endif
