public import CoreMetrics
public import Hummingbird
internal import Logging

/// Gives each request its id, and logs and measures its answer.
///
/// The id is that of `X-Request-ID` if ``RequestID/accepted(_:)`` takes it, else a new one; it is in the context, in the
/// answer's `X-Request-ID`, and in the task-local logger around everything below, so that every line logged there
/// through `Logger.current` has it as `request_id`. That logger is the context's own otherwise.
///
/// Each answer is one line at level `info`: method, route pattern (`none` where no route took the request; never the
/// path), status, duration in milliseconds, bytes of the body. It counts in `http_requests_total`,
/// `http_request_duration_seconds` and `http_requests_in_flight`. An answer that is streamed ends with its body; one
/// whose length is known counts as ended when it is handed to the connection, so that it can go out in one piece.
///
/// It belongs around all other middleware, first of all around the one that turns errors into answers. An error that
/// can answer for itself does so here; any other is counted as 500 and goes on, but its answer lacks the id.
public struct RequestLogMiddleware<Context: ServiceContext>: RouterMiddleware {
    private let metrics: RequestMetrics
    private let makeID: @Sendable () -> String
    private let now: @Sendable () -> ContinuousClock.Instant

    /// Makes it; ids and clock can be replaced in tests.
    public init(
        metrics: any MetricsFactory, makeID: @escaping @Sendable () -> String = RequestID.make,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.metrics = RequestMetrics(metrics)
        self.makeID = makeID
        self.now = now
    }

    /// Answers with what the rest answers, and the id.
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        let id = RequestID.accepted(request.headers[.xRequestID]) ?? makeID()
        context.requestID = id
        var logger = context.logger
        // Hummingbird's own number of the request says nothing to anybody outside.
        logger[metadataKey: "hb.request.id"] = nil
        logger[metadataKey: "request_id"] = .string(id)
        context.logger = logger
        var recordLogger = logger
        // A response may be written after the span that the provider reads is no longer current.
        for (key, value) in logger.metadataProvider?.get() ?? [:] { recordLogger[metadataKey: key] = value }
        let record = RequestRecord(request.method.label, logger: recordLogger, metrics: metrics, now: now)
        let bound = context
        do {
            var response = try await withLogger(logger) { _ in
                do {
                    return try await next(request, bound)
                } catch let error as any HTTPResponseError {
                    // The router would do the same, but outside of all middleware.
                    return try error.response(from: request, context: bound)
                }
            }
            response.headers[.xRequestID] = id
            let length = response.body.contentLength
            record.answered(response.status, route: context.endpointPath, bytes: length ?? 0)
            if length == nil { response.body = response.body.ending(record) } else { record.end() }
            return response
        } catch {
            record.answered(.internalServerError, route: context.endpointPath)
            record.end()
            throw error
        }
    }
}
