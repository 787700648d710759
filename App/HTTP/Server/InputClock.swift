internal import NIOCore

/// The deadlines for the input of a connection.
struct InputClock {
    private enum Phase {
        /// Waits for the first byte of a request. The first request of a connection has one header timeout in total.
        case waiting(until: NIODeadline, isFirst: Bool)
        case head(until: NIODeadline)
        case shortBody(until: NIODeadline)
        case body(windowEnd: NIODeadline, bytes: Int)
    }

    /// The input that is late.
    enum Lateness {
        case nextRequest
        case head
        case body
    }

    private let limits: ServerLimits
    private var phase: Phase

    init(_ limits: ServerLimits, now: NIODeadline) {
        self.limits = limits
        phase = .waiting(until: now + TimeAmount(limits.headerTimeout), isFirst: true)
    }

    /// Whether no request has started.
    var isWaiting: Bool {
        if case .waiting = phase { true } else { false }
    }

    /// Whether the body of a request is incomplete.
    var isInBody: Bool {
        switch phase {
        case .waiting, .head: false
        case .shortBody, .body: true
        }
    }

    mutating func bytesArrived(now: NIODeadline) {
        switch phase {
        case .waiting(let until, isFirst: true): phase = .head(until: until)
        case .waiting(_, isFirst: false): phase = .head(until: now + TimeAmount(limits.headerTimeout))
        case .head, .shortBody, .body: return
        }
    }

    /// - Parameter length: The declared length of the body; `nil` if it is not declared.
    mutating func headArrived(length: Int?, now: NIODeadline) {
        if let length, length <= limits.jsonBodyBytes {
            phase = .shortBody(until: now + TimeAmount(limits.bodyTimeout))
        } else {
            phase = .body(windowEnd: now + TimeAmount(limits.rateWindow), bytes: 0)
        }
    }

    mutating func bodyArrived(bytes count: Int) {
        guard case .body(let end, let bytes) = phase else { return }
        phase = .body(windowEnd: end, bytes: bytes + count)
    }

    mutating func requestArrived(now: NIODeadline) {
        wait(until: now + TimeAmount(limits.idleTimeout))
    }

    mutating func wait(until deadline: NIODeadline) {
        phase = .waiting(until: deadline, isFirst: false)
    }

    /// Restarts the timeout of the present phase, because the client did not cause the delay.
    mutating func restart(now: NIODeadline) {
        switch phase {
        case .waiting: phase = .waiting(until: now + TimeAmount(limits.idleTimeout), isFirst: false)
        case .head: phase = .head(until: now + TimeAmount(limits.headerTimeout))
        case .shortBody: phase = .shortBody(until: now + TimeAmount(limits.bodyTimeout))
        case .body: phase = .body(windowEnd: now + TimeAmount(limits.rateWindow), bytes: 0)
        }
    }

    /// The input that is late; `nil` if there is none. If a body arrived fast enough, its next window starts.
    mutating func lateness(now: NIODeadline) -> Lateness? {
        switch phase {
        case .waiting(let until, _): return now >= until ? .nextRequest : nil
        case .head(let until): return now >= until ? .head : nil
        case .shortBody(let until): return now >= until ? .body : nil
        case .body(let end, let bytes):
            guard now >= end else { return nil }
            let seconds = limits.rateWindow / .seconds(1)
            guard Double(bytes) >= Double(limits.bodyRate) * seconds else { return .body }
            phase = .body(windowEnd: now + TimeAmount(limits.rateWindow), bytes: 0)
            return nil
        }
    }
}
