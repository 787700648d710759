internal import CoreMetrics
internal import HTTPTypes
internal import LarderApp
internal import Logging
private import Synchronization

/// The record of a request until its response has ended, when it is logged and measured once.
///
/// If the body is released without being written, as for HEAD, the record is released too, which completes it.
final class RequestRecord: Sendable {
    private struct Answer {
        var route = "none"
        var status = 500
        var bytes = 0
        var isCut = false
        var hasEnded = false
    }

    let logger: Logger
    private let method: String
    private let metrics: RequestMetrics
    private let start: ContinuousClock.Instant
    private let now: @Sendable () -> ContinuousClock.Instant
    private let answer = Mutex(Answer())

    init(
        _ method: String, logger: Logger, metrics: RequestMetrics,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.method = method
        self.logger = logger
        self.metrics = metrics
        self.now = now
        start = now()
        metrics.inFlight.increment()
    }

    deinit { end() }

    /// - Parameter route: The pattern. It starts with a slash; the text for requests without a route does not.
    func answered(_ status: HTTPResponse.Status, route: String?, bytes: Int = 0) {
        answer.withLock { answer in
            answer.status = status.code
            answer.route = route.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "none"
            answer.bytes = bytes
        }
    }

    func wrote(bytes: Int) { answer.withLock { $0.bytes += bytes } }

    /// Writing the response failed: the client has disconnected, or the source of the body failed.
    func wasCut() { answer.withLock { $0.isCut = true } }

    func end() {
        let ended = answer.withLock { answer -> Answer? in
            if answer.hasEnded { return nil }
            answer.hasEnded = true
            return answer
        }
        guard let ended else { return }
        let duration = now() - start
        metrics.inFlight.decrement()
        metrics.note(method: method, route: ended.route, status: ended.status, duration: duration)
        logger.info("request", metadata: metadata(ended, duration))
    }

    private func metadata(_ answer: Answer, _ duration: Duration) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "method": .string(method), "route": .string(answer.route), "status": .stringConvertible(answer.status),
            "duration_ms": .stringConvertible(duration.milliseconds), "bytes": .stringConvertible(answer.bytes),
        ]
        if answer.isCut { metadata["cut"] = .stringConvertible(true) }
        return metadata
    }
}
