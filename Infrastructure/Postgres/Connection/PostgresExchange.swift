#if Postgres
internal import LarderData
internal import LarderDomain

/// Short statements in one round trip, and the evaluation of their results.
///
/// `@unchecked Sendable` is safe because one thread at a time uses it: the one that sends the statements, and then the one
/// that receives the results.
final class PostgresExchange<Value: Sendable>: @unchecked Sendable {
    /// The maximum number of bytes of values that are sent without waiting for the server.
    private static var maximumBytes: Int { 1 << 12 }
    let steps: [PostgresStep]
    fileprivate var pipeline = PostgresPipeline()
    /// Receives the results. `nil` if other work must follow.
    let end: (_ receive: () throws(PersistencyError) -> Void) throws(PersistencyError) -> Value?

    init(
        _ steps: [PostgresStep],
        _ end: @escaping (() throws(PersistencyError) -> Void) throws(PersistencyError) -> Value?
    ) {
        (self.steps, self.end) = (steps, end)
    }

    fileprivate var isShort: Bool { steps.reduce(0) { $0 + $1.byteCount } <= Self.maximumBytes }
}

extension PostgresLane {
    /// Sends statements on the calling thread, and evaluates the results where they arrive, without a thread that waits
    /// for this connection. It is not interrupted by a cancellation.
    ///
    /// - Parameter make: `nil` declines.
    /// - Returns: `nil` if the connection is not open, or the exchange is declined, or ends with `nil`.
    func exchange<Value>(
        _ make: (PostgresConnection) throws(PersistencyError) -> PostgresExchange<Value>?
    ) async throws(PersistencyError) -> Value? {
        guard let readiness = PostgresReadiness.shared, let connection, let exchange = try make(connection),
            exchange.isShort, connection.canSend(exchange.steps)
        else { return nil }
        return try await using(connection) { () async throws(PersistencyError) in
            exchange.pipeline = try connection.send(exchange.steps[...])
            return try await exchange.result(from: connection, readiness).get()
        }
    }
}

extension PostgresExchange {
    fileprivate func result(
        from connection: PostgresConnection, _ readiness: PostgresReadiness
    ) async -> Result<Value?, PersistencyError> {
        let limit = connection.answerLimit.map { ContinuousClock.now.advanced(by: $0) }
        return await withCheckedContinuation { continuation in
            readiness.wait(for: connection.socket, until: limit) { isLate in
                if isLate { connection.giveUp() } else if !connection.hasResult { return false }
                let result = Result { () throws(PersistencyError) in
                    try self.end { () throws(PersistencyError) in try connection.receive(self.pipeline) }
                }
                continuation.resume(returning: result)
                return true
            }
        }
    }
}
#endif
