#if Postgres
internal import CLarderPostgres
internal import LarderInfrastructure
internal import Synchronization

/// Tells when a result arrives: one thread waits for the sockets of all connections. Under load, it learns of several
/// results at once, while a thread for each connection wakes for each result.
final class PostgresReadiness: Sendable {
    /// Called with each arrival, until it returns whether the result is complete, and after the limit of the wait.
    typealias Arrival = @Sendable (_ isLate: Bool) -> Bool

    #if os(Linux)
    private struct Wait: Sendable {
        let limit: ContinuousClock.Instant?
        let arrival: Arrival
    }

    /// Of the process; it is never ended. `nil` if the system has no resources for it.
    static let shared = PostgresReadiness()

    private let queue: Int32
    private let thread = StoreThread(label: "store.postgres.readiness")
    private let waits = Mutex<[Int32: Wait]>([:])

    private init?() {
        queue = epoll_create1(Int32(EPOLL_CLOEXEC))
        if queue < 0 { return nil }
        thread.enqueue {
            var lastCheck = ContinuousClock.now
            while true {
                self.awaitArrivals()
                if lastCheck.duration(to: .now) < .seconds(1) { continue }
                lastCheck = .now
                self.endLateWaits(at: lastCheck)
            }
        }
    }

    /// Calls a function on the thread when data arrives at a socket, or up to a second after a limit. It must be short.
    func wait(for socket: Int32, until limit: ContinuousClock.Instant?, _ arrival: @escaping Arrival) {
        waits.withLock { $0[socket] = Wait(limit: limit, arrival: arrival) }
        var event = unsafe epoll_event(
            events: EPOLLIN.rawValue | EPOLLONESHOT.rawValue, data: epoll_data_t(fd: socket))
        // The system removes a socket when it is closed.
        if unsafe epoll_ctl(queue, EPOLL_CTL_MOD, socket, &event) == 0 { return }
        if unsafe epoll_ctl(queue, EPOLL_CTL_ADD, socket, &event) == 0 { return }
        // libpq has closed the socket of a lost connection, or the system lacks resources.
        if let wait = end(socket) { _ = wait.arrival(true) }
    }

    private func end(_ socket: Int32) -> Wait? { waits.withLock { $0.removeValue(forKey: socket) } }

    /// Up to a second.
    private func awaitArrivals() {
        var events = unsafe [epoll_event](repeating: epoll_event(), count: 64)
        let count = unsafe Int(epoll_wait(queue, &events, 64, 1_000))
        for index in 0..<max(count, 0) {
            let socket = unsafe events[index].data.fd
            guard let wait = end(socket) else { continue }
            if !wait.arrival(false) { self.wait(for: socket, until: wait.limit, wait.arrival) }
        }
    }

    private func endLateWaits(at now: ContinuousClock.Instant) {
        let late = waits.withLock { waits in waits.filter { $1.limit.map { $0 <= now } ?? false }.keys }
        for socket in late { _ = end(socket)?.arrival(true) }
    }
    #else
    /// Without `epoll`, statements run on the threads of connections.
    static let shared: PostgresReadiness? = nil

    func wait(for socket: Int32, until limit: ContinuousClock.Instant?, _ arrival: @escaping Arrival) {}
    #endif
}
#endif
