internal import NIOCore
internal import NIOHTTP1

/// Where a connection is with its answers.
struct OutputState {
    /// Whether a request was handed over whose answer is not complete.
    private(set) var isAnswering = false
    /// Whether that request is a `HEAD`, whose answer has no body.
    private(set) var isForHead = false
    /// Counts the requests.
    private(set) var serial = 0
    /// When the connection is cut because the client does not read.
    var stallsBy: NIODeadline?
    /// Until when, and how many bytes more, an ended connection is read; `nil` for one that goes on.
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
        // The parser stops at a request to change the protocol, and a client of HTTP/1.0 reads until the end.
        isLast =
            !head.isKeepAlive || head.version != .http1_1 || head.method == .CONNECT
            || head.headers.contains(name: "upgrade")
    }

    /// Whether a request was handed over, and nothing of its answer was written.
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

    /// Ends an answer.
    ///
    /// - Returns: Whether it was the last of the connection.
    mutating func end(isLast: Bool) -> Bool {
        isAnswering = false
        answerBy = nil
        return self.isLast || isLast
    }

    mutating func linger(until deadline: NIODeadline, bytes: Int) {
        if linger == nil { linger = (deadline, bytes) }
    }

    /// Counts bytes that were thrown away.
    ///
    /// - Returns: Whether it is enough.
    mutating func discard(_ bytes: Int) -> Bool {
        guard let linger else { return false }
        self.linger = (linger.until, linger.bytes - bytes)
        return linger.bytes < bytes
    }

    /// Whether the connection must be cut.
    func isLate(_ now: NIODeadline) -> Bool {
        [linger?.until, stallsBy, answerBy].contains { $0.map { now >= $0 } ?? false }
    }
}
