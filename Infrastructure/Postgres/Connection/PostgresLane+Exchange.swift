#if Postgres
internal import LarderDomain

extension PostgresLane {
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
        guard exchange.isShort, connection.canSend(exchange.steps) else { return done(.success(())) }
        do throws(PersistencyError) {
            exchange.pipeline = try connection.send(exchange.steps[...])
            exchange.wait(for: connection, readiness) { result in
                self.end(result)
                done(result)
            }
        } catch {
            end(Result<Void, _>.failure(error))
            done(.failure(error))
        }
    }
}
#endif
