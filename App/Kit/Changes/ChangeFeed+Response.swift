private import HTTPTypes
public import Hummingbird
public import LarderData

extension ChangeFeed {
    /// Answers a request with a stream of changes: `text/event-stream`, from `Last-Event-ID` on where it is given.
    ///
    /// The stream ends when the client goes away, when it is late (``FeedBounds/patience``), when the server stops, or
    /// when `isAllowed` says so. A `HEAD` gets the same head, and takes no place.
    ///
    /// - Parameters:
    ///   - request: Nothing may have taken its body, which is what tells that the client went away.
    ///   - watchesClient: `false` for a request that came over no connection, as in a test of the router.
    ///   - isAllowed: Asked at each heartbeat; a token may have been revoked since the stream began.
    ///   - isVisible: Whether the client may see a change.
    /// - Throws: ``FeedRefusal``, before anything is sent.
    public func response(
        to request: Request, watchesClient: Bool = true, isAllowed: @escaping @Sendable () async -> Bool = { true },
        where isVisible: @escaping @Sendable (CommittedChange) -> Bool = { _ in true }
    ) throws(FeedRefusal) -> Response {
        var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        // Proxies that keep answers back until they are complete would show a client nothing.
        if let buffering = HTTPField.Name("X-Accel-Buffering") { headers[buffering] = "no" }
        if request.method == .head { return Response(status: .ok, headers: headers, body: ResponseBody()) }

        let lastEventID = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
        let subscription = try subscribe(after: lastEventID, where: isVisible)
        let stream = ChangeStream(subscription: subscription, isAllowed: isAllowed)
        let body = ResponseBody { writer in
            try await stream.write(to: writer, watching: watchesClient ? request.body : nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }
}
