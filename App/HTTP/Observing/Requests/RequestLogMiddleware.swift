public import CoreMetrics
public import Hummingbird
internal import Logging

/// Assigns an id to each request, and logs and measures its response.
///
/// The id is that of `X-Request-ID` if ``RequestID/accepted(_:)`` accepts it, otherwise a new one. It is in the
/// context, in the response's `X-Request-ID`, and in the task-local logger of the inner middleware and routes, so that
/// lines that are logged there through `Logger.current` have it as `request_id`. Otherwise this logger is the
/// context's.
///
/// Each response is logged in one line at level `info`: method, route pattern (`none` if no route matched; never the
/// path), status, duration in milliseconds, bytes of the body, and the client's address, if there is a closure for it.
/// It is counted in `http_server_request_duration_seconds` and `http_server_active_requests`. A streamed response ends
/// with its body; one with a
/// known length counts as ended when it is passed to the connection, so that it can be sent in one piece.
///
/// Place it outside of all other middleware, in particular of the one that turns errors into responses. An HTTP
/// response error becomes its response here. Others are counted as 500 and rethrown; the response lacks the id.
public struct RequestLogMiddleware<Context: ServiceContext>: RouterMiddleware {
    private let metrics: RequestMetrics
    private let makeID: @Sendable () -> String
    private let now: @Sendable () -> ContinuousClock.Instant
    private let client: (@Sendable (Request, Context) -> String?)?

    /// Makes the middleware; tests can replace the ids and the clock.
    ///
    /// - Parameter client: The address of a client, which is personal data; by default it is not logged.
    public init(
        metrics: any MetricsFactory, makeID: @escaping @Sendable () -> String = RequestID.make,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        client: (@Sendable (Request, Context) -> String?)? = nil
    ) {
        self.metrics = RequestMetrics(metrics)
        self.client = client
        self.makeID = makeID
        self.now = now
    }

    /// Adds the id to the response of the next responder.
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        let id = RequestID.accepted(request.headers[.xRequestID]) ?? makeID()
        context.requestID = id
        var logger = context.logger
        // Hummingbird's request number has no meaning outside of the process.
        logger[metadataKey: "hb.request.id"] = nil
        logger[metadataKey: "request_id"] = .string(id)
        context.logger = logger
        var recordLogger = logger
        // A response may be written after the span that the provider reads has ended.
        for (key, value) in logger.metadataProvider?.get() ?? [:] { recordLogger[metadataKey: key] = value }
        if let client = client?(request, context) { recordLogger[metadataKey: "client"] = .string(client) }
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
