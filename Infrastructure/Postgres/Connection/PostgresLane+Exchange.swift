#if Postgres
internal import LarderDomain

extension PostgresLane {
    /// Sends statements on the calling thread, and evaluates the results where they arrive, without a thread that waits
    /// for this connection. It is not interrupted by a cancellation.
    ///
    /// - Parameters:
    ///   - make: `nil` declines.
    ///   - done: Called when the lane is free again, with `nil` if the connection is not open, or the exchange is declined,
    ///     or ends with `nil`.
    func exchange<Value>(
        _ make: (PostgresConnection) throws(PersistencyError) -> PostgresExchange<Value>?,
        _ done: @escaping @Sendable (Result<Value?, PersistencyError>) -> Void
    ) {
        guard let readiness = PostgresReadiness.shared, let connection else { return done(.success(nil)) }
        do throws(PersistencyError) {
            guard let exchange = try make(connection), exchange.isShort, connection.canSend(exchange.steps) else {
                return done(.success(nil))
            }
            exchange.pipeline = try connection.send(exchange.steps[...])
            exchange.wait(for: connection, readiness) { result in
                self.end(result)
                done(result)
            }
        } catch {
            end(Result<Value, _>.failure(error))
            done(.failure(error))
        }
    }
}
#endif
