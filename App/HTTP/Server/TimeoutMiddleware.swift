internal import HTTPTypes
public import Hummingbird

/// Cancels a request that is worked on for too long, and answers it with 503. It waits for the work to end: what heeds
/// no cancellation keeps its connection until the connection's guard cuts it.
///
/// The time begins anew with each piece of the body, and to wait for one takes none of it: bodies have deadlines of their
/// own. It ends with the beginning of the answer; a stream may run on.
public struct TimeoutMiddleware<Context: ServiceContext>: RouterMiddleware {
    private let deadlines: RequestDeadlines
    private let timeout: Duration

    /// Makes the middleware.
    ///
    /// - Parameters:
    ///   - deadlines: Watched by the ``HTTPService`` that the middleware's router belongs to.
    ///   - timeout: How long a request may be worked on.
    public init(_ deadlines: RequestDeadlines, timeout: Duration) {
        self.deadlines = deadlines
        self.timeout = timeout
    }

    // Concurrent by name: only then does the closure go on to the task as what it is.
    @concurrent public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let timer = RequestTimer(timeout)
        let request = request.timed(by: timer)
        return try await withoutActuallyEscaping(next) { next in
            let work = Sent(next)
            let task = Task.immediate { try await work.value(request, context) }
            let id = deadlines.add(task, timer)
            let result = await withTaskCancellationHandler {
                await task.result
            } onCancel: {
                task.cancel()
            }
            let reason = deadlines.remove(id)
            guard case .failure(let error) = result else { return try result.get() }
            switch reason {
            case nil: throw error
            case .tooLong:
                throw Problem(.timedOut, "The service did not get it done in time.", headers: [.retryAfter: "5"])
            case .shutdown:
                throw Problem(.shuttingDown, "The service stops; ask again.", headers: [.retryAfter: "5"])
            }
        }
    }
}

extension Request {
    /// The request with a body, where it has one, that stops a timer while it is waited for.
    fileprivate func timed(by timer: RequestTimer) -> Request {
        // HTTP/2 has bodies without either field.
        let mayHaveBody = headers[.transferEncoding] != nil || ![.get, .head].contains(method)
        guard headers[.contentLength].map({ $0 != "0" }) ?? mayHaveBody else { return self }
        var request = self
        request.body = RequestBody(asyncSequence: TimedBody(base: body, timer: timer))
        return request
    }
}

/// Safe to send, as it is used here: the closure is called once, by one task, whose end is awaited before the caller
/// goes on.
private struct Sent<Work>: @unchecked Sendable {
    let value: Work

    init(_ value: Work) {
        self.value = value
    }
}
