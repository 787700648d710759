internal import CoreMetrics
internal import Hummingbird

extension ServiceAPI {
    /// The middleware that sees every request and every response of a service that runs.
    func outermost(
        _ server: ServerSettings, _ metrics: any MetricsFactory, epoch: @escaping @Sendable () -> UInt64?
    ) -> [Middleware] {
        let proxies = TrustedProxies(ranges: server.trustedProxies)
        let client = { @Sendable (request: Request, context: CallerContext<Caller>) in
            proxies.client(request.headers, peer: context.channel.remoteAddress)
        }
        let traces: [Middleware] = Spans() == nil ? [] : [TracingMiddleware(recordingHeaders: [.xRequestID])]
        let log: [Middleware] = [
            RequestLogMiddleware(metrics: metrics, client: proxies.ranges.isEmpty ? nil : client)
        ]
        let origins: [Middleware] = server.corsOrigins.isEmpty ? [] : [OriginMiddleware(server.corsOrigins)]
        return traces + log + origins + [
            OutgoingMiddleware(service.outgoing, caller: { $0.account.key }, loop: { $0.loop }),
            ResponseCacheMiddleware(epoch: epoch),
        ]
    }
}
