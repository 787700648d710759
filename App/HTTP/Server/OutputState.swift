internal import NIOCore
internal import NIOHTTP1

/// The state of a connection's responses.
struct OutputState {
    /// Whether the response to a delivered request is incomplete.
    private(set) var isAnswering = false
    /// Whether that request is a `HEAD`, whose response has no body.
    private(set) var isForHead = false
    /// The number of delivered requests.
    private(set) var serial = 0
    /// The deadline for a client that does not read; then the connection is closed.
    var stallsBy: NIODeadline?
    /// The deadline and the remaining bytes for reading an ended connection; `nil` while it continues.
    private(set) var linger: (until: NIODeadline, bytes: Int)?

    private var hasHead = false
    private var answerBy: NIODeadline?
    private var isLast = false
    private var version = HTTPVersion.http1_1

    mutating func begin(_ head: HTTPRequestHead) {
        isAnswering = true
        isForHead = head.method == .HEAD
        hasHead = false
        serial += 1
        version = head.version
        // The parser stops at a request to change the protocol. A client of HTTP/1.0 reads until the connection ends.
        isLast =
            !head.isKeepAlive || head.version != .http1_1 || head.method == .CONNECT
            || head.headers.contains(name: "upgrade")
    }

    /// Whether the response to a delivered request has not started.
    func awaits(_ serial: Int) -> Bool { isAnswering && !hasHead && self.serial == serial }

    mutating func requestEnded(answerBy deadline: NIODeadline) {
        if !hasHead { answerBy = deadline }
    }

    mutating func answer(_ head: inout HTTPResponseHead, isLast: Bool) {
        hasHead = true
        answerBy = nil
        let asksToClose = head.headers[canonicalForm: "connection"].contains { $0.lowercased() == "close" }
        self.isLast = self.isLast || isLast || asksToClose
        head.version = version
        if self.isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
    }

    /// Ends a response.
    ///
    /// - Returns: Whether it was the last one of the connection.
    mutating func end(isLast: Bool) -> Bool {
        isAnswering = false
        answerBy = nil
        return self.isLast || isLast
    }

    mutating func linger(until deadline: NIODeadline, bytes: Int) {
        if linger == nil { linger = (deadline, bytes) }
    }

    /// Counts discarded bytes.
    ///
    /// - Returns: Whether the limit is exceeded.
    mutating func discard(_ bytes: Int) -> Bool {
        guard let linger else { return false }
        self.linger = (linger.until, linger.bytes - bytes)
        return linger.bytes < bytes
    }

    /// Whether the connection must be closed.
    func isLate(_ now: NIODeadline) -> Bool {
        [linger?.until, stallsBy, answerBy].contains { $0.map { now >= $0 } ?? false }
    }
}
