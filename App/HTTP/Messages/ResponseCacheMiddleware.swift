internal import HTTPTypes
public import Hummingbird
internal import LarderData
private import Synchronization

/// Caches the responses to anonymous reads until the next commit: before it, the same request has the same response.
///
/// It stores responses to GET that have an entity tag and a known length. Of a large one it stores only the tag, which
/// answers requests with a matching `If-None-Match`. Requests with a token, `If-Match` or a position bypass the cache. A response
/// that depends on anything except the store, the address, `Authorization` and preconditions must have no tag.
public struct ResponseCacheMiddleware<Context: ServiceContext>: RouterMiddleware {
    private let responses: Responses
    private let epoch: @Sendable () -> UInt64?

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - bytes: The maximum size of all cached bodies. Of a body larger than 1/64 of it, only the tag is cached.
    ///   - epoch: A number that every commit changes, `nil` during commits; see `CachedStore.epoch`.
    public init(bytes: Int = 16 << 20, epoch: @escaping @Sendable () -> UInt64?) {
        responses = Responses(bytes: bytes)
        self.epoch = epoch
    }

    /// Answers from the cache, or caches the response if it has a tag.
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.method == .get, !request.headers.contains(.authorization), !request.headers.contains(.ifMatch),
            !request.headers.contains(.storePosition), let target = request.head.path, let epoch = epoch()
        else { return try await next(request, context) }
        if let known = responses[target], known.epoch == epoch, let response = try known.response(to: request) {
            // The request log and the metrics need the route.
            context.coreContext.endpointPath.value = known.route
            return response
        }
        let response = try await next(request, context)
        // After a commit in the meantime, it is unknown whether the response includes it.
        if let tag = response.tagToSendAgain, self.epoch() == epoch {
            responses[target] = Known(response, tag: tag, route: context.endpointPath, epoch: epoch)
        }
        return response
    }
}

private struct Known {
    let tag: EntityTag
    let notModified: Response
    /// `nil` if the response is large, or is known only from a response of 304.
    var whole: Response?
    let route: String?
    let epoch: UInt64

    init(_ response: Response, tag: EntityTag, route: String?, epoch: UInt64) {
        (self.tag, self.route, self.epoch) = (tag, route, epoch)
        var headers = response.headers
        for name in [HTTPField.Name.contentType, .contentLength, HTTPField.Name("Link")] {
            if let name { headers[name] = nil }
        }
        notModified = Response(status: .notModified, headers: headers)
        whole = response.status == .ok ? response : nil
    }

    func response(to request: Request) throws(Problem) -> Response? {
        try Preconditions(request).isNotModified(tag) ? notModified : whole
    }
}

private final class Responses: Sendable {
    private let kept: Mutex<BoundedCache<String, Known>>
    private let largest: Int

    init(bytes: Int) {
        kept = Mutex(BoundedCache(bytes: bytes))
        largest = bytes / 64
    }

    subscript(target: String) -> Known? {
        get { kept.withLock { $0.value(for: target) } }
        set {
            guard var known = newValue else { return }
            // Header fields and targets can be as large as small bodies.
            var bytes = 512 + target.utf8.count
            let length = known.whole?.body.contentLength ?? 0
            if bytes + length <= largest { bytes += length } else { known.whole = nil }
            kept.withLock { $0.keep(known, bytes: bytes, for: target) }
        }
    }
}

extension Response {
    /// The tag of a response that can be sent again; `nil` for any other.
    fileprivate var tagToSendAgain: EntityTag? {
        guard status == .ok && body.contentLength != nil || status == .notModified else { return nil }
        return headers[.eTag].map(EntityTag.init(text:))
    }
}
