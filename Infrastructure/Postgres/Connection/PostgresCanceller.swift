#if Postgres
internal import CLarderPostgres
private import Dispatch
internal import LarderInfrastructure
internal import Synchronization

/// Interrupts the statements of a connection from any thread, on another connection to the server.
///
/// `@unchecked Sendable` is safe because libpq's cancel handle is immutable, and usable on any thread.
@safe final class PostgresCanceller: @unchecked Sendable {
    private let handle: OpaquePointer?

    init(_ connection: OpaquePointer) {
        unsafe handle = PQgetCancel(connection)
    }

    deinit {
        unsafe PQfreeCancel(handle)
    }

    /// Blocks until the server has received the request. A connection without a running statement ignores it.
    func cancel() {
        var message = [CChar](repeating: 0, count: 256)
        _ = unsafe PQcancel(handle, &message, Int32(message.count))
    }
}

extension PostgresConnection {
    /// From now on, a cancellation does not interrupt the operation.
    func endInterruption() {
        if operation?.end() == false { giveUp() }
        operation = nil
    }
}

/// An operation that runs on a connection, so that it can be interrupted, but not the next one.
final class PostgresOperation: Sendable {
    private struct State {
        var canceller: PostgresCanceller?
        /// Signals that the server has received the request to interrupt the operation.
        var request: DispatchSemaphore?
    }

    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    /// Begins the operation, or continues it on another connection.
    func begin(_ canceller: PostgresCanceller) { state.withLock { $0.canceller = canceller } }

    /// Waits for the request to interrupt the operation, if any, so that it does not interrupt the next one.
    ///
    /// - Returns: Whether the connection can be used again: `false` if the server does not receive the request in time.
    func end() -> Bool {
        let request = state.withLock { state in
            defer { (state.canceller, state.request) = (nil, nil) }
            return state.request
        }
        ended.signal()
        return request.map { $0.wait(timeout: .now() + .seconds(2)) == .success } ?? true
    }

    /// Interrupts the operation until it has ended: the server ignores a request between two statements.
    ///
    /// - Parameter thread: Waits for the server.
    func cancel(on thread: StoreThread) {
        thread.enqueue {
            while true {
                let received = DispatchSemaphore(value: 0)
                let canceller = self.state.withLock { state in
                    if state.canceller != nil { state.request = received }
                    return state.canceller
                }
                guard let canceller else { return }
                canceller.cancel()
                received.signal()
                _ = self.ended.wait(timeout: .now() + .milliseconds(100))
            }
        }
    }
}
#endif
