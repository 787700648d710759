private import HTTPTypes
public import Hummingbird
public import LarderData
public import NIOCore

extension ChangeFeed {
    /// Answers a request with a stream of changes: `text/event-stream`, from `Last-Event-ID` on where it is given.
    ///
    /// The stream ends when the client goes away, when it is late (``FeedBounds/patience``), when the server stops, or
    /// when `isAllowed` says so. A `HEAD` gets the same head, and takes no place; it needs a route of its own, see
    /// ``HummingbirdCore/ResponseBody/unsent``.
    ///
    /// - Parameters:
    ///   - request: Nothing may have taken its body, which is what tells that the client went away.
    ///   - loop: The event loop of the request's connection; `nil` for a request that came over none, as in a test of
    ///     the router. An event is written once the loop has taken the one before: writes wait for a client that reads
    ///     nothing, but never for a loop that is behind, and would pile up in its queue without bound.
    ///   - names: What events call an entity, by its schema's name; the schema's name where it is absent.
    ///   - isAllowed: Asked at each heartbeat; a token may have been revoked since the stream began.
    ///   - isVisible: Whether the client may see a change.
    ///   - isKindVisible: Whether it may see any entity of a schema, by the schema's name.
    /// - Throws: ``FeedRefusal``, before anything is sent.
    public func response(
        to request: Request, over loop: (any EventLoop)?, names: [String: String] = [:],
        isAllowed: @escaping @Sendable () async -> Bool = { true },
        where isVisible: @escaping @Sendable (CommittedChange) -> Bool = { _ in true },
        anyOf isKindVisible: @escaping @Sendable (String) -> Bool = { _ in true }
    ) throws(FeedRefusal) -> Response {
        var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        // Proxies that keep answers back until they are complete would show a client nothing.
        if let buffering = HTTPField.Name("X-Accel-Buffering") { headers[buffering] = "no" }
        if request.method == .head { return Response(status: .ok, headers: headers, body: .unsent) }

        let lastEventID = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
        let subscription = try subscribe(after: lastEventID, where: isVisible, anyOf: isKindVisible)
        let stream = ChangeStream(subscription: subscription, loop: loop, names: names, isAllowed: isAllowed)
        let body = ResponseBody { writer in
            try await stream.write(to: writer, watching: loop == nil ? nil : request.body)
        }
        return Response(status: .ok, headers: headers, body: body)
    }
}
