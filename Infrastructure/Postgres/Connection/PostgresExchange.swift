#if Postgres
internal import LarderData
internal import LarderDomain

/// Short statements in one round trip, and the evaluation of their results.
///
/// `@unchecked Sendable` is safe because one thread at a time uses it: the one that sends the statements, and then the one
/// that receives the results.
final class PostgresExchange: @unchecked Sendable {
    /// The maximum number of bytes of values that are sent without waiting for the server.
    static let maximumBytes = 1 << 12
    let steps: [PostgresStep]
    var pipeline = PostgresPipeline()
    /// Receives the results.
    let end: (_ receive: () throws(PersistencyError) -> Void) throws(PersistencyError) -> Void
    /// Called with the result, where it was received. Returns an exchange that it has sent on the same connection.
    var follow: ((Result<Void, PersistencyError>) -> PostgresExchange?)?

    init(
        _ steps: [PostgresStep],
        _ end: @escaping (() throws(PersistencyError) -> Void) throws(PersistencyError) -> Void
    ) {
        (self.steps, self.end) = (steps, end)
    }

    var isShort: Bool { steps.reduce(0) { $0 + $1.byteCount } <= Self.maximumBytes }
}

extension PostgresExchange {
    /// Waits for the results of the sent statements and of the statements that follow them, and evaluates them. Reports the
    /// last result.
    func wait(
        for connection: PostgresConnection, _ readiness: PostgresReadiness,
        _ done: @escaping @Sendable (Result<Void, PersistencyError>) -> Void
    ) {
        let limit = connection.answerLimit.map { ContinuousClock.now.advanced(by: $0) }
        readiness.wait(for: connection.socket, until: limit) { isLate in
            if isLate { connection.giveUp() } else if !connection.hasResult { return false }
            let result = Result { () throws(PersistencyError) in
                try self.end { () throws(PersistencyError) in try connection.receive(self.pipeline) }
            }
            if let next = self.follow?(result) {
                next.wait(for: connection, readiness, done)
            } else {
                done(result)
            }
            return true
        }
    }
}
#endif
