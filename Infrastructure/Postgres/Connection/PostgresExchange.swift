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
    private let steps: [PostgresStep]
    private var pipeline = PostgresPipeline()
    /// Called after the results were received and evaluated, or with the error.
    private let end: (Result<Void, PersistencyError>) -> Void
    /// Called with the result, where it was received. Returns an exchange that it has sent on the same connection.
    var follow: ((Result<Void, PersistencyError>) -> PostgresExchange?)?

    init(_ steps: [PostgresStep], _ end: @escaping (Result<Void, PersistencyError>) -> Void = { _ in }) {
        (self.steps, self.end) = (steps, end)
    }

    /// Sends the statements, unless they are not short, or replace other prepared ones. Returns whether they were sent.
    func send(on connection: PostgresConnection) -> Bool {
        guard steps.reduce(0, { $0 + $1.byteCount }) <= Self.maximumBytes, connection.canSend(steps),
            let sent = try? connection.send(steps[...])
        else { return false }
        pipeline = sent
        return true
    }

    /// Receives the results of the sent statements.
    func receive(on connection: PostgresConnection) -> Result<Void, PersistencyError> {
        let result = Result { () throws(PersistencyError) in try connection.receive(pipeline) }
        end(result)
        return result
    }

    /// Waits for the results of the sent statements and of the statements that follow them, and evaluates them. Reports the
    /// last result.
    func wait(
        for connection: PostgresConnection, _ readiness: PostgresReadiness,
        _ done: @escaping @Sendable (Result<Void, PersistencyError>) -> Void
    ) {
        let limit = connection.answerLimit.map { ContinuousClock.now.advanced(by: $0) }
        readiness.wait(for: connection.socket, until: limit) { isLate in
            if isLate { connection.giveUp() } else if !connection.hasResult { return false }
            let result = self.receive(on: connection)
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
