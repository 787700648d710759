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

/// The operation that runs on a connection, so that it can be interrupted, but not the next one.
final class PostgresOperation: Sendable {
    private struct State {
        var number = 0
        var canceller: PostgresCanceller?
        /// Signals that the server has received the request to interrupt the operation.
        var request: DispatchSemaphore?
    }

    /// Requests wait for the server, so they have a thread of their own.
    private let thread = StoreThread(label: "store.postgres.cancel")
    private let state = Mutex(State())

    /// The number of the next operation.
    var next: Int { state.withLock { $0.number + 1 } }

    /// Begins an operation, or continues it on another connection.
    func begin(_ number: Int, _ canceller: PostgresCanceller) {
        state.withLock { state in
            state.number = number
            state.canceller = canceller
        }
    }

    /// Waits for the request to interrupt the operation, if any, so that it does not interrupt the next one.
    ///
    /// - Returns: Whether the connection can be used again: `false` if the server does not receive the request in time.
    func end() -> Bool {
        let request = state.withLock { state in
            defer { (state.canceller, state.request) = (nil, nil) }
            return state.request
        }
        return request.map { $0.wait(timeout: .now() + .seconds(2)) == .success } ?? true
    }

    /// Interrupts an operation, unless it has ended.
    func cancel(_ number: Int) {
        thread.enqueue {
            let received = DispatchSemaphore(value: 0)
            let canceller = self.state.withLock { state -> PostgresCanceller? in
                guard state.number == number, let canceller = state.canceller else { return nil }
                state.request = received
                return canceller
            }
            canceller?.cancel()
            received.signal()
        }
    }
}
#endif
