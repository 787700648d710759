internal import HTTPTypes
public import Hummingbird
internal import LarderData
private import Synchronization

/// Sends an answer again to whoever asks the same without a token, while nothing at all was committed: everything that
/// was read and judged for it would come out the same.
///
/// It keeps answers to GET that have a tag and a known length. Whoever sends a token, or a condition, is answered anew.
/// Answers that depend on anything beside the store, the address, `Authorization` and conditions must have no tag.
public struct ResponseCacheMiddleware<Context: ServiceContext>: RouterMiddleware {
    private let responses: Responses
    private let moment: @Sendable () -> UInt64?

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - bytes: How much is kept, by the bytes of bodies; no body of more than a 64th of that.
    ///   - moment: A number that is another one after every commit, `nil` while commits run; see ``CachedStore/moment``.
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
            // What logs and measures requests wants to know which route it was.
            context.coreContext.endpointPath.value = known.route
            return known.response
        }
        let response = try await next(request, context)
        // What was committed meanwhile may or may not have been read.
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
            // Heads and targets are of the size of small bodies.
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
