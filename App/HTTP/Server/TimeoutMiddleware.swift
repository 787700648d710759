internal import HTTPTypes
public import Hummingbird

/// Cancels a request that takes too long, and answers it with 503; and a request whose client has disconnected, so that
/// it leaves queues and its reads of the store end. It waits until the work has ended: work that ignores
/// cancellation keeps its connection until the connection's guard closes it.
///
/// The time restarts with each piece of the body. Waiting for a piece is not counted, because bodies have separate
/// deadlines. The time ends when the response starts; a stream may continue.
public struct TimeoutMiddleware<Context: ServiceContext>: RouterMiddleware {
    private let deadlines: RequestDeadlines
    private let timeout: Duration

    /// Makes the middleware.
    ///
    /// - Parameters:
    ///   - deadlines: The deadlines that the ``HTTPService`` of the middleware's router watches.
    ///   - timeout: The maximum time for the work on a request.
    public init(_ deadlines: RequestDeadlines, timeout: Duration) {
        self.deadlines = deadlines
        self.timeout = timeout
    }

    /// Runs the rest of the request in a task, which is cancelled at the deadline.
    // Explicitly `@concurrent`: otherwise the closure could not be passed to the task unchanged.
    @concurrent public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let timer = RequestTimer(timeout)
        let request = request.timed(by: timer)
        return try await withoutActuallyEscaping(next) { next in
            let work = Sent(next)
            let task = Task.immediate { try await work.value(request, context) }
            let id = deadlines.add(task, timer)
            let (watch, deadlines) = (ClientWatch.current, deadlines)
            let departure = watch?.add { deadlines.clientHasGone(id) }
            defer { if let departure { watch?.remove(departure) } }
            let result = await withTaskCancellationHandler {
                await task.result
            } onCancel: {
                task.cancel()
            }
            let reason = deadlines.remove(id)
            guard case .failure(let error) = result else { return try result.get() }
            switch reason {
            case nil: throw error
            case .clientGone: throw ClientGone()
            case .tooLong:
                throw Problem(.timedOut, "The service did not finish the request in time.", headers: [.retryAfter: "5"])
            case .shutdown:
                throw Problem(.shuttingDown, "The service is shutting down; try again.", headers: [.retryAfter: "5"])
            }
        }
    }
}

extension Request {
    /// The request. A body, if there may be one, suspends a timer while it is waited for.
    fileprivate func timed(by timer: RequestTimer) -> Request {
        // An HTTP/2 request may have a body without either field.
        let mayHaveBody = headers[.transferEncoding] != nil || ![.get, .head].contains(method)
        guard headers.value(.contentLength).map({ $0 != "0" }) ?? mayHaveBody else { return self }
        var request = self
        request.body = RequestBody(asyncSequence: TimedBody(base: body, timer: timer))
        return request
    }
}

/// Safe to send because of its use here: one task calls the closure once, and the caller waits for its end.
private struct Sent<Work>: @unchecked Sendable {
    let value: Work

    init(_ value: Work) {
        self.value = value
    }
}
