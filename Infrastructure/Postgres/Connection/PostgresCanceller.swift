#if Postgres
internal import CLarderPostgres
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
    }

    /// Requests wait for the server, so they have a thread of their own.
    private static let thread = StoreThread(label: "store.postgres.cancel")
    private let state = Mutex(State())

    /// The number of the next operation.
    var next: Int { state.withLock { $0.number + 1 } }

    func begin(_ canceller: PostgresCanceller) {
        state.withLock { state in
            state.number += 1
            state.canceller = canceller
        }
    }

    func end() { state.withLock { $0.canceller = nil } }

    /// Interrupts an operation, unless it has ended.
    func cancel(_ number: Int) {
        Self.thread.enqueue {
            // The lock keeps the next operation from beginning before the server has received the request.
            self.state.withLock { state in if state.number == number { state.canceller?.cancel() } }
        }
    }
}
#endif
