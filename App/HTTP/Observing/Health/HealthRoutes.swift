internal import HTTPTypes
public import Hummingbird
internal import NIOCore

/// `GET /health/live` and `GET /health/ready`: health checks for operators.
///
/// `live` answers 200 while the process can respond. `ready` answers 200, or 503 while the service cannot accept
/// requests: `{"status":"ready","writes":true}`. A read-only store is not a reason for 503: `"writes":false` and
/// `"reason"` report it. Responses must not be cached.
public struct HealthRoutes<Context: RequestContext>: Sendable {
    private let readiness: Readiness

    /// Makes the routes.
    public init(_ readiness: Readiness) {
        self.readiness = readiness
    }

    /// Adds the routes to a router.
    public func add(to routes: some RouterMethods<Context>) {
        routes.get("health/live") { _, _ in Response.health(.ok, #"{"status":"live"}"#) }
        routes.get("health/ready") { [readiness] _, _ in Response.readiness(await readiness.state()) }
    }
}

extension Response {
    fileprivate static func readiness(_ state: Readiness.State) -> Response {
        switch state {
        case .ready(.readOnly(let reason)):
            health(.ok, #"{"status":"ready","writes":false,"reason":"\#(reason)"}"#)
        case .ready: health(.ok, #"{"status":"ready","writes":true}"#)
        case .unready(.unusable(let reason)), .unready(.readOnly(let reason)):
            health(.serviceUnavailable, #"{"status":"unready","writes":false,"reason":"\#(reason)"}"#)
        case .unready(.writable): health(.serviceUnavailable, #"{"status":"unready","writes":true}"#)
        case .draining: health(.serviceUnavailable, #"{"status":"draining"}"#)
        }
    }

    fileprivate static func health(_ status: HTTPResponse.Status, _ json: String) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: json)))
    }
}
