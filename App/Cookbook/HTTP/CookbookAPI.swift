internal import CookbookDomain
internal import Hummingbird
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP

/// The routes of the cookbook.
struct CookbookAPI: ServiceAPI {
    let identity = Larder.identity
    /// The parts that the routes share.
    let service: CookbookService
    /// All tokens.
    let tokens: AccessTokens
    /// The maximum size of a photo in bytes.
    let photoBytes: Int
    /// The scope of the program itself, which may do everything.
    let system: OpenCookbook
    var operators: (any OperatorRegistry)? { system }

    var purges: [PurgeService.Purge] {
        [
            .init("answers") { try await service.answers.purge(service.manager) },
            .init("tokens") { try await tokens.purge() },
        ]
    }

    static let resources: [any Resource<OpenCookbook>.Type] = [
        RecipeResource.self, TagResource.self, BrandResource.self, CookbookResource.self, SessionResource.self,
        UserResource.self,
    ]

    func addRoutes(to group: RouterGroup<CookbookContext>, _ parts: ServiceParts) {
        service.add(Self.resources, to: group)
        RecipeVerbs(service: service).add(to: group)
        MergeTagsRoute(service: service).add(to: group)
        PhotoRoutes(service: service, maximumBytes: photoBytes).add(to: group)
        TokenRoutes(service, collection: UserResource.name, tokens: \.tokens, check: Self.checkTokens).add(to: group)
        MeRoute(service: service, tokens: tokens).add(to: group)
        ImportRoute(service: service).add(to: group)
        ExportRoute(service: service).add(to: group)
        ChangesRoute(
            service, parts, names: [CookingSession.entityName: "session"],
            isVisible: { $0.permissions.maySee($1) }, isKindVisible: { $0.permissions.maySee(anyOf: $1) }
        ).add(to: group)
    }

    /// A token belongs to a user whom the caller may see, and only admins manage tokens.
    private static func checkTokens(
        of user: EntityID<User>, caller: AuthenticatedUser?, in cookbook: OpenCookbook
    ) async throws {
        _ = try await cookbook.users.require(user)
        guard caller.permissions.isAdmin else {
            throw Problem(.forbidden, "Tokens are for admins to make and take back.")
        }
    }
}
