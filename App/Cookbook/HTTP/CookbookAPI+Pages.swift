internal import LarderHTTP

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
                Larder.identity, own: PackageResources.openapi_json, resources: resources,
                tokenOwners: UserResource.name, assets: assets)
        }
    }
}
