internal import HTTPTypes
public import Hummingbird
internal import LarderApp
internal import Logging
public import NIOCore
private import Synchronization

/// Stores each body of more than one piece in ``OutgoingBytes``, and sends it in pieces as the client reads them.
///
/// A body with a known length is completely in memory, and is stored. A body with an unknown length must be produced in
/// pieces by its route, which may set the header field `Content-Length`.
///
/// Place it outside of all middleware that makes or caches responses.
public struct OutgoingMiddleware<Context: ServiceContext>: RouterMiddleware {
    private let bytes: OutgoingBytes
    private let loop: @Sendable (Context) -> (any EventLoop)?
    private let caller: @Sendable (Context) -> String?

    /// - Parameters:
    ///   - bytes: Stores the bodies.
    ///   - caller: The key of the caller, after the response was made; `nil` for an anonymous one.
    ///   - loop: The event loop of a request's connection; `nil` without a connection, as in a test.
    public init(
        _ bytes: OutgoingBytes, caller: @escaping @Sendable (Context) -> String? = { _ in nil },
        loop: @escaping @Sendable (Context) -> (any EventLoop)?
    ) {
        (self.bytes, self.caller, self.loop) = (bytes, caller, loop)
    }

    /// Sends the response of the next responder, or 503 if neither memory nor the temporary file has space for it.
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        let (body, loop) = (response.body, loop(context))
        guard let length = body.contentLength else {
            response.body = ResponseBody { writer in try await body.write(PacedBodyWriter(base: writer, loop: loop)) }
            return response
        }
        guard request.method != .head, length > OutgoingBytes.pieceBytes else { return response }
        do {
            let held = try bytes.hold(try await BufferCollector.collect(body), for: caller(context))
            response.body = ResponseBody(contentLength: length) { writer in
                var paced: any ResponseBodyWriter = PacedBodyWriter(base: writer, loop: loop)
                try await held.write(to: &paced)
                try await paced.finish(nil)
            }
            return response
        } catch let error as SpoolError {
            context.logger.warning("no space for a response", metadata: ["cause": "\(error)"])
            guard case .noSpace(let refusal) = error else {
                throw Problem(
                    .storeUnavailable, "The service has no space for the response.",
                    headers: [.retryAfter: "30"])
            }
            throw Problem(refusal, of: "bytes in unread responses", retryAfter: 5)
        }
    }
}

/// Collects a body in one buffer, without copying if it is a single buffer.
private final class BufferCollector: ResponseBodyWriter, Sendable {
    private let collected = Mutex(ByteBuffer())

    static func collect(_ body: ResponseBody) async throws -> ByteBuffer {
        let collector = BufferCollector()
        try await body.write(collector)
        return collector.collected.withLock(\.self)
    }

    func write(_ buffer: ByteBuffer) async throws {
        collected.withLock { collected in
            if collected.readableBytes == 0 { collected = buffer } else { collected.writeImmutableBuffer(buffer) }
        }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
