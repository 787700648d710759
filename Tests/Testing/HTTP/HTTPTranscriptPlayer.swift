#if Service
internal import HTTPTypes
internal import LarderApp
internal import LarderData
public import LarderHTTP

/// Sends the requests of a transcript to a service.
///
/// Manners of sending, in parentheses: `(twice at once)` sends a request again before the first one is answered, and
/// shows the second response; `(2 events)` disconnects from a stream after two events; `(1 day later)` first advances
/// the clock by a day; `(the store is closed)` first closes the store.
public struct HTTPTranscriptPlayer<API: ServiceAPI>: Sendable {
    /// A caller of requests: `as ada`.
    public struct Caller: Sendable {
        /// The id of the caller.
        public let id: String
        /// The secret of the access token.
        public let token: String

        /// - Parameters:
        ///   - id: The value of the placeholder with the caller's name.
        ///   - token: The secret of an access token.
        public init(id: String, token: String) {
            (self.id, self.token) = (id, token)
        }
    }

    /// A request uses a name that no earlier response has.
    public struct UnknownName: Error {
        let name: String
    }

    /// The service.
    public let http: HTTPHarness<API>
    private let tokens: [String: String]
    private var answers: [String: JSON]
    private var entityTags: [String: String] = [:]

    /// Makes a player for a service, with the callers by their names.
    public init(_ http: HTTPHarness<API>, callers: [String: Caller] = [:]) {
        self.http = http
        tokens = callers.mapValues(\.token)
        answers = callers.mapValues { .object([.init("id", .string($0.id))]) }
    }

    /// Sends one request.
    ///
    /// - Returns: The lines of the response, and the rules of every response that it breaks.
    public mutating func play(
        _ exchange: HTTPTranscript.Exchange
    ) async throws -> (answer: [String], findings: [String]) {
        let request = try request(exchange.request)
        if let days = request.daysLater { http.clock.advance(days: days) }
        if request.isAfterClosing { await http.store.close() }
        let reply = try await answer(to: request)
        if let tag = reply.headers[.eTag] { entityTags[reply.headers[.location] ?? request.path] = tag }
        if let name = exchange.name { answers[name] = reply.json }
        var lines = reply.transcriptLines
        // The tag of a page or a file depends on its bytes, which the transcript does not contain.
        if !request.path.hasPrefix("/v1/") { lines = lines.map { $0.hasPrefix("ETag: ") ? "ETag: (of the file)" : $0 } }
        return (lines, Self.findings(in: reply, to: request))
    }

    /// Parses the lines of a request.
    public func request(_ lines: [String]) throws -> TranscriptRequest {
        try TranscriptRequest(lines) { try meant($0, path: $1) }
    }

    /// Sends a request in its manner.
    public func answer(to request: TranscriptRequest) async throws -> HTTPReply {
        let (http, token) = (http, request.caller.flatMap { tokens[$0] })
        let send: @Sendable () async throws -> HTTPReply = {
            try await http.send(
                request.method, request.path, token: token, headers: request.headers, type: request.usualType,
                bytes: request.body, events: request.events)
        }
        return request.isSentTwice ? try await http.sendTwiceAtOnce(send) : try await send()
    }

    /// The value of a name between angle brackets.
    private func meant(_ name: String, path: String) throws -> String {
        if name == "etag" {
            guard let tag = entityTags[path] else { throw UnknownName(name: "etag of \(path)") }
            return tag
        }
        let parts = name.split(separator: ".").map(String.init)
        guard case .string(let text)? = answers[parts[0]]?[parts.count > 1 ? parts[1] : "id"] else {
            throw UnknownName(name: name)
        }
        return text
    }

    private static func findings(in reply: HTTPReply, to request: TranscriptRequest) -> [String] {
        var findings: [String] = []
        func require(_ condition: Bool, _ finding: String) {
            if !condition { findings.append(finding) }
        }
        require(reply.headers[.xRequestID] == HTTPHarness<API>.requestID, "no request id")
        require(reply.headers[.xContentTypeOptions] == "nosniff", "no X-Content-Type-Options")
        let policy = reply.headers[.contentSecurityPolicy] ?? ""
        require(policy.hasPrefix("default-src 'none'; "), "no Content-Security-Policy")
        if [204, 304].contains(reply.status.code) || request.method == .head {
            require(reply.bytes.isEmpty, "a body where none is allowed")
        }
        if reply.status.code >= 400, !request.path.hasPrefix("/health") {
            require(reply.headers[.contentType] == "application/problem+json", "an error that is not a problem")
            require(reply.headers[.cacheControl] == "no-store", "a problem that may be cached")
        }
        return findings
    }
}
#endif
