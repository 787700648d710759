import Hummingbird
import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import LoansDomain

/// The routes of the service.
struct Routes: ServiceAPI {
    let identity = Program.identity
    let service: ResourceService<SignedInUser, Scope>
    let operators: (any OperatorRegistry)?

    init(
        _ manager: any PersistencyManager, _ settings: ServerSettings = ServerSettings(),
        ids: any IDGenerator = UUIDv7Generator(), now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) {
        let tokens = AccessTokens(manager: manager, prefix: Program.identity.tokenPrefix, now: now)
        operators = Operators(users: Users(manager), tokens: tokens, ids: ids)
        let authenticator = AccessTokenAuthenticator<SignedInUser>(tokens) { id in
            try await Users(manager).read(EntityID(id)).map { SignedInUser(user: $0.entity) }
        }
        service = ResourceService(
            manager: manager, authenticator: authenticator, readingIsOpen: settings.reading == .open,
            limits: settings.limits, responses: ResponseKeeper(now: now)
        ) { manager, caller in
            Scope(manager, for: caller?.user, ids: ids, now: now)
        }
    }

    func addRoutes(to group: RouterGroup<CallerContext<SignedInUser>>, _ parts: ServiceParts) {
        service.add(Entities.resources, to: group)
        LendBikeRoute(service: service).add(to: group)
        TokenRoutes<SignedInUser, Scope, User>(service, collection: UserResource.name, tokens: \.tokens) {
            user, _, scope in
            _ = try await Users(scope.manager).require(user)
        }.add(to: group)
        ChangesRoute(service, parts, policies: { Entities.policies(for: $0?.user) }).add(to: group)
    }

    func pages() throws -> ServicePages {
        try ServicePages(identity) { assets in
            try APIDocument(
                identity, own: Self.documentParts.map { Array($0.utf8) }, resources: Entities.resources,
                tokenOwners: UserResource.name, assets: assets)
        }
    }

    /// The parts of the OpenAPI document that the kit does not derive from the resources.
    private static let documentParts = [
        #"{"tags": [{"name": "users", "description": "The users of the service."}]}"#,
        LendBikeRoute.documentPart,
    ]
}
