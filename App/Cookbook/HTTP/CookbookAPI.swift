internal import CookbookDomain
internal import Hummingbird
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP

struct CookbookAPI: ServiceAPI {
    let identity = Larder.identity
    /// The parts shared by all routes.
    let service: CookbookService
    let tokens: AccessTokens
    /// The maximum size of a photo in bytes.
    let photoBytes: Int
    /// The scope of the program itself, with all permissions.
    let system: OpenCookbook
    var operators: (any OperatorRegistry)? { system }

    static let resources: [any Resource<OpenCookbook>.Type] = [
        RecipeResource.self, TagResource.self, BrandResource.self, CookbookResource.self, SessionResource.self,
        UserResource.self,
    ]

    func addRoutes(to group: RouterGroup<CookbookContext>, _ parts: ServiceParts) {
        service.add(Self.resources, to: group)
        RecipeVerbs(service: service).add(to: group)
        LinesRoute(service: service).add(to: group)
        MergeTagsRoute(service: service).add(to: group)
        PhotoRoutes(service: service, maximumBytes: photoBytes).add(to: group)
        TokenRoutes<_, _, User>(service, collection: UserResource.name, tokens: \.tokens) { user, _, cookbook in
            _ = try await cookbook.users.require(user)
        }.add(to: group)
        MeRoute(service: service, tokens: tokens).add(to: group)
        ImportRoute(service: service).add(to: group)
        ExportRoute(service: service).add(to: group)
        ChangesRoute(
            service, parts, names: [CookingSession.entityName: "session"],
            // Where reading requires authentication, the caller of a route is authenticated.
            policies: { .cookbook(for: $0.permissions, readingIsOpen: true) }
        ).add(to: group)
    }
}

extension CookbookAPI {
    func pages() throws -> ServicePages { try Self.madePages.get() }

    static let madePages = Result {
        try ServicePages(
            Larder.identity, pages: [.init("/", title: "Cookbook", html: PackageResources.cookbook_html)],
            assets: [
                "api.js": .script(PackageResources.api_js),
                "changes.js": .script(PackageResources.changes_js),
                "cookbook.css": .style(PackageResources.cookbook_css),
                "cookbook.js": .script(PackageResources.cookbook_js),
                "photos.js": .script(PackageResources.photos_js),
                "recipe.js": .script(PackageResources.recipe_js),
                "views.js": .script(PackageResources.views_js),
            ]
        ) { assets in
            try APIDocument(
                Larder.identity, own: [PackageResources.openapi_json], resources: resources,
                tokenOwners: UserResource.name, assets: assets)
        }
    }
}
