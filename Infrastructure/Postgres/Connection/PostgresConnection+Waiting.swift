#if Postgres
internal import CLarderPostgres
internal import LarderDomain

extension PostgresConnection {
    /// How much longer than the server the client waits for the end of a statement: the server's error precedes.
    static let grace: Duration = .seconds(2)

    /// Runs a body with another limit of the wait for each result; `nil` for none.
    func waiting<Result>(
        upTo limit: Duration?, _ body: () throws(PersistencyError) -> Result
    ) throws(PersistencyError) -> Result {
        let usual = answerLimit
        answerLimit = limit
        defer { answerLimit = usual }
        return try body()
    }

    /// The last result of statements without a pipeline; `nil` if the connection is lost.
    ///
    /// - Parameter isSent: The result of sending them.
    func lastResult(_ isSent: Int32) -> OpaquePointer? {
        guard isSent == 1 else { return nil }
        var last: OpaquePointer?
        while let next = unsafe nextResult() {
            unsafe PQclear(last)
            unsafe last = next
            let status = unsafe PQresultStatus(next)
            // The data of a `COPY` precedes the next result.
            if status == PGRES_COPY_IN || status == PGRES_COPY_OUT { break }
        }
        guard isGivenUp else { return unsafe last }
        unsafe PQclear(last)
        return nil
    }

    /// The next result; `nil` at the end of a statement, and if the connection is lost.
    ///
    /// libpq waits without a limit, for example for a server that is stopped, or for a synchronous replica. A connection
    /// whose server does not answer in time is given up: its state is unknown.
    func nextResult() -> OpaquePointer? {
        if isGivenUp { return nil }
        if unsafe PQisBusy(handle) == 1 { wait { unsafe PQisBusy(handle) == 0 } }
        return isGivenUp ? nil : unsafe PQgetResult(handle)
    }

    /// Waits until everything was sent.
    func sendAll() { wait { unsafe PQflush(handle) != 1 } }

    private func wait(until isDone: () -> Bool) {
        let end = answerLimit.map { ContinuousClock.now.advanced(by: $0) }
        while true {
            let isUnsent = unsafe PQflush(handle) == 1
            if isDone() || isBroken { return }
            let rest = end.map { max(.zero, $0 - .now) }
            let ready = isReady(isUnsent ? POLLIN | POLLOUT : POLLIN, upTo: rest)
            if !ready, rest == .zero { return giveUp() }
            if unsafe ready && PQconsumeInput(handle) == 0 { return }
        }
    }

    /// Whether the socket is ready in time.
    private func isReady(_ events: Int32, upTo limit: Duration?) -> Bool {
        var socket = pollfd(fd: socket, events: Int16(events), revents: 0)
        return unsafe poll(&socket, 1, limit.map { Int32(min($0.milliseconds + 1, 1_000_000)) } ?? -1) > 0
    }

    /// Whether a result has arrived, or never will. Does not block.
    var hasResult: Bool { unsafe PQconsumeInput(handle) == 0 || PQisBusy(handle) == 0 }

    /// The same, within a millisecond.
    func hasResultSoon() -> Bool {
        let limit = ContinuousClock.now.advanced(by: .milliseconds(1))
        repeat {
            if isReady(POLLIN, upTo: .zero), hasResult { return true }
        } while ContinuousClock.now < limit
        return false
    }
}

extension Duration {
    /// Whole milliseconds, rounded down; at most about 23 days.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds < 2_000_000 else { return 2_000_000_000 }
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
#endif
