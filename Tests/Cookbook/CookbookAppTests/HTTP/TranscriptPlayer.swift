import CookbookDomain
import HTTPTypes
import LarderApp
import LarderData
import LarderDomain
import Testing

@testable import CookbookApp
import LarderHTTP

/// Sends the requests of one transcript to one service, with three users: ada, an admin; bob, a cook; cleo, a reader.
///
/// Ways to send, in parentheses: `(twice at once)` sends a request while the same is being answered, and shows the second
/// answer; `(2 events)` leaves a stream after two events; `(1 day later)` lets a day pass before; `(the store is
/// closed)` closes it before.
struct TranscriptPlayer: Sendable {
    private let http: HTTPHarness
    private var tokens: [String: String] = [:]
    private var answers: [String: JSON] = [:]
    private var entityTags: [String: String] = [:]

    init(_ settings: StoreSettings) async throws {
        http = try await HTTPHarness(settings)
        for (name, role) in [("ada", Role.admin), ("bob", .cook), ("cleo", .reader)] {
            let user = try await http.register("\(name)@example.org", role)
            tokens[name] = user.token
            answers[name] = .object([.init("id", .string(user.id.description))])
        }
    }

    /// Sends one request.
    ///
    /// - Returns: The answer as a transcript has it.
    mutating func play(_ exchange: HTTPTranscript.Exchange) async throws -> [String] {
        let request = try request(exchange.request)
        if let days = request.daysLater { http.clock.advance(days: days) }
        if request.isAfterClosing { await http.store.close() }
        let reply = try await answer(to: request)
        expectWhatHoldsForAll(reply, request)
        if let tag = reply.headers[.eTag] { entityTags[reply.headers[.location] ?? request.path] = tag }
        if let name = exchange.name { answers[name] = reply.json }
        // The tag of a page or its parts is that of their bytes, which are not written down here.
        return request.path.hasPrefix("/v1/")
            ? reply.transcriptLines : reply.transcriptLines.map { $0.hasPrefix("ETag: ") ? "ETag: (of the file)" : $0 }
    }

    /// Reads the lines of a request.
    func request(_ lines: [String]) throws -> TranscriptRequest {
        try TranscriptRequest(lines) { try meant($0, path: $1) }
    }

    /// Each route as `GET /v1/recipes/{id}`.
    var routes: [String] { http.routes }

    /// The number of the last commit.
    var lastSequence: Int64 { http.store.lastSequence }

    /// Sends a request in its way.
    func answer(to request: TranscriptRequest) async throws -> Reply {
        let (http, token) = (http, request.user.flatMap { tokens[$0] })
        let send: @Sendable () async throws -> Reply = {
            try await http.send(
                request.method, request.path, token: token, headers: request.headers, type: request.usualType,
                bytes: request.body, events: request.events)
        }
        return request.isSentTwice ? try await http.sendTwiceAtOnce(send) : try await send()
    }

    /// What a name between angle brackets stands for.
    private func meant(_ name: String, path: String) throws -> String {
        if name == "etag" { return try #require(entityTags[path], "\(path) has no entity tag yet") }
        let parts = name.split(separator: ".").map(String.init)
        let answer = try #require(answers[parts[0]], "nothing is called \(parts[0])")
        guard case .string(let text)? = answer[parts.count > 1 ? parts[1] : "id"] else {
            throw UnknownName(name: name)
        }
        return text
    }

    private struct UnknownName: Error { let name: String }

    private func expectWhatHoldsForAll(_ reply: Reply, _ request: TranscriptRequest) {
        #expect(reply.headers[.xRequestID] == HTTPHarness.requestID)
        #expect(reply.headers[.xContentTypeOptions] == "nosniff")
        #expect(reply.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'; ") == true)
        if [204, 304].contains(reply.status.code) || request.method == .head { #expect(reply.bytes.isEmpty) }
        if reply.status.code >= 400, !request.path.hasPrefix("/health") {
            #expect(reply.headers[.contentType] == "application/problem+json")
            #expect(reply.headers[.cacheControl] == "no-store")
        }
    }
}
