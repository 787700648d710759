import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import LarderApp
import LarderHTTP

/// A caller with a token.
struct Reader: ServiceCaller {
    let key: String
    let operatorPermissions: Set<OperatorPermission>
}

/// A service that replaces all replaceable parts of the kit.
struct ReadersAPI: ServiceAPI {
    static let readers = ServiceIdentity(name: "readers", title: "Readers", operatorRole: "a librarian")
    let identity = Self.readers
    let service: ResourceService<Reader, Void>
    let tls: TLSConfiguration

    func server(_ guarded: GuardedServer) throws -> HTTPServerBuilder {
        guarded.builder { [tls] responder, configuration in
            try HTTP2UpgradeChannel(
                tlsConfiguration: tls, configuration: .init(streamConfiguration: configuration), responder: responder)
        }
    }

    func addRoutes(to group: RouterGroup<CallerContext<Reader>>, _ parts: ServiceParts) {
        let group = group.add(middleware: VisitMiddleware())
        group.get("me") { _, context in context.caller?.key ?? "nobody" }
        group.get("executor") { _, _ in
            unsafe withUnsafeCurrentTask { task in
                unsafe task?.unownedTaskExecutor == nil ? "the cooperative pool" : "request threads"
            }
        }
    }

    func pages() throws -> ServicePages {
        try ServicePages(identity) { assets in
            try APIDocument(identity, followsChanges: false, assets: assets)
        }
    }
}

/// Adds a header field with the caller's key to each response.
struct VisitMiddleware: RouterMiddleware {
    typealias Context = CallerContext<Reader>

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.from] = context.caller?.key
        return response
    }
}
