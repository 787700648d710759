internal import HTTPTypes
internal import Hummingbird
internal import LarderHTTP

/// The pages for people, what they are made of, and the API's description.
struct PageRoutes: Sendable {
    /// The pages load scripts, styles and pictures of this server alone, ask nobody else, and stand in no other page. A
    /// blob is a picture that a script asked for, with the token, which a picture that loads by itself does not send.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// The scripts, styles and pictures under `/assets`, by name.
    static let assets: [String: PageFile] = [
        "api.js": script(PackageResources.api_js),
        "changes.js": script(PackageResources.changes_js),
        "cookbook.css": style(PackageResources.cookbook_css),
        "cookbook.js": script(PackageResources.cookbook_js),
        "docs.css": style(PackageResources.docs_css),
        "docs.js": script(PackageResources.docs_js),
        "dom.js": script(PackageResources.dom_js),
        "icon.svg": PageFile(PackageResources.icon_svg, "image/svg+xml"),
        "openapi.js": script(PackageResources.openapi_js),
        "page.css": style(PackageResources.page_css),
        "photos.js": script(PackageResources.photos_js),
        "recipe.js": script(PackageResources.recipe_js),
        "views.js": script(PackageResources.views_js),
        "yaml.js": script(PackageResources.yaml_js),
    ]

    private static let cookbook = page(PackageResources.cookbook_html)
    private static let docs = page(PackageResources.docs_html)
    private static let description = PageFile(PackageResources.openapi_yaml, "application/yaml")

    func add(to router: some RouterMethods<CookbookContext>) {
        router.get("/") { request, _ in try Self.cookbook.response(to: request) }
        router.get("docs") { request, _ in try Self.docs.response(to: request) }
        router.get("openapi.yaml") { request, _ in try Self.description.response(to: request) }
        router.get("assets/{file}") { request, context in
            guard let file = context.parameters.get("file").flatMap({ Self.assets[$0] }) else {
                throw Problem(.notFound, "There is no such file.")
            }
            return try file.response(to: request)
        }
    }

    private static func page(_ bytes: [UInt8]) -> PageFile {
        PageFile(bytes, "text/html; charset=utf-8", headers: [.contentSecurityPolicy: policy])
    }

    private static func script(_ bytes: [UInt8]) -> PageFile {
        PageFile(bytes, "text/javascript; charset=utf-8")
    }

    private static func style(_ bytes: [UInt8]) -> PageFile {
        PageFile(bytes, "text/css; charset=utf-8")
    }
}
