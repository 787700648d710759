#if Postgres
internal import LarderDomain

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
#endif
