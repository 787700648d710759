internal import HTTPTypes
public import Hummingbird
internal import LarderData
private import Synchronization

/// Caches the responses to anonymous reads until the next commit: before it, the same request has the same response.
///
/// It stores responses to GET that have an entity tag and a known length. Requests with a token or a precondition
/// bypass the cache. A response that depends on anything except the store, the address, `Authorization` and
/// preconditions must have no tag.
public struct ResponseCacheMiddleware<Context: ServiceContext>: RouterMiddleware {
    private let responses: Responses
    private let moment: @Sendable () -> UInt64?

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - bytes: The maximum size of all cached bodies. A body larger than 1/64 of it is not cached.
    ///   - moment: A number that every commit changes, `nil` during commits; see ``CachedStore/moment``.
    public init(bytes: Int = 16 << 20, moment: @escaping @Sendable () -> UInt64?) {
        responses = Responses(bytes: bytes)
        self.moment = moment
    }

    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.method == .get, !request.headers.contains(.authorization),
            !request.headers.contains(.ifNoneMatch), !request.headers.contains(.ifMatch),
            let target = request.head.path, let moment = moment()
        else { return try await next(request, context) }
        if let known = responses[target], known.moment == moment {
            // The request log and the metrics need the route.
            context.coreContext.endpointPath.value = known.route
            return known.response
        }
        let response = try await next(request, context)
        // After a commit in the meantime, it is unknown whether the response includes it.
        if response.canBeSentAgain, self.moment() == moment {
            responses[target] = Known(response: response, route: context.endpointPath, moment: moment)
        }
        return response
    }
}

private struct Known {
    let response: Response
    let route: String?
    let moment: UInt64
}

private final class Responses: Sendable {
    private let kept: Mutex<BoundedCache<String, Known>>

    init(bytes: Int) {
        kept = Mutex(BoundedCache(bytes: bytes))
    }

    subscript(target: String) -> Known? {
        get { kept.withLock { $0.value(for: target) } }
        set {
            guard let newValue else { return }
            // Header fields and targets can be as large as small bodies.
            let bytes = 512 + target.utf8.count + (newValue.response.body.contentLength ?? 0)
            kept.withLock { $0.keep(newValue, bytes: bytes, for: target) }
        }
    }
}

extension Response {
    fileprivate var canBeSentAgain: Bool {
        status == .ok && headers[.eTag] != nil && body.contentLength != nil
    }
}
