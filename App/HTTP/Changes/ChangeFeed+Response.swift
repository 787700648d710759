private import HTTPTypes
public import Hummingbird
public import NIOCore

extension ChangeFeed {
    /// Responds with a stream of changes (`text/event-stream`), which resumes after `Last-Event-ID`.
    ///
    /// The stream ends when the client disconnects or is too slow (``FeedBounds/patience``), after
    /// ``FeedBounds/lifetime``, when the server stops, or when `isAllowed` returns `false`. A `HEAD` gets the same header
    /// fields and uses no subscription. It needs its own route; see ``HummingbirdCore/ResponseBody/unsent``.
    ///
    /// - Parameters:
    ///   - request: A request whose body is unread: the end of the body signals that the client has disconnected.
    ///   - loop: The event loop of the request's connection; `nil` without a connection, as in a test of the router. An
    ///     event is written after the loop has processed the one before. Writes wait for a client that does not read,
    ///     but not for a loop that is behind: without this, they would fill its queue without bound.
    ///   - caller: The key of the caller, whose streams are bounded; `nil` for an anonymous one.
    ///   - audience: The filter for the client's permissions.
    ///   - isAllowed: Called at each heartbeat, because a token may be revoked while the stream is open.
    /// - Throws: ``FeedRefusal``, before the response begins.
    public func response(
        to request: Request, over loop: (any EventLoop)?, caller: String? = nil,
        audience: ChangeAudience = ChangeAudience(),
        isAllowed: @escaping @Sendable () async -> Bool = { true }
    ) throws(FeedRefusal) -> Response {
        var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        // A proxy that buffers responses until they are complete would deliver no events.
        if let buffering = HTTPField.Name("X-Accel-Buffering") { headers[buffering] = "no" }
        if request.method == .head { return Response(status: .ok, headers: headers, body: .unsent) }

        let lastEventID = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
        let subscription = try subscribe(after: lastEventID, for: caller, as: audience)
        let stream = ChangeStream(subscription: subscription, loop: loop, isAllowed: isAllowed)
        let body = ResponseBody { writer in
            try await stream.write(to: writer, watching: loop == nil ? nil : request.body)
        }
        return Response(status: .ok, headers: headers, body: body)
    }
}
