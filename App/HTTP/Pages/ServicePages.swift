internal import Hummingbird
public import LarderApp

/// The pages of a service for people, the files that they load, and the OpenAPI document with its viewer at `/docs`.
public struct ServicePages: Sendable {
    /// A page of the service.
    public struct Page: Sendable {
        fileprivate let path: String
        fileprivate let title: String
        fileprivate let file: PageFile

        /// Makes a page at a path, with its title in the navigation of the viewer.
        public init(_ path: String, title: String, html: [UInt8]) {
            (self.path, self.title, file) = (path, title, .page(html))
        }
    }

    /// Pages load scripts, styles and images of this server only, connect to no other, and cannot be framed. A blob is
    /// an image that a script has loaded with the token; an image that loads by itself sends no token.
    public static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// The files at `/assets`, by name.
    public let assets: [String: PageFile]
    /// The OpenAPI document.
    public let document: APIDocument
    private let pages: [Page]
    private let viewer: PageFile
    private let files: [String: PageFile]

    /// - Parameters:
    ///   - identity: The title and the prefix of tokens in the viewer.
    ///   - pages: The service's own pages.
    ///   - assets: The files that they load, by name. The viewer's style sheets and `dom.js` are included anyway; a
    ///     file named `icon.svg` replaces the kit's.
    ///   - document: Makes the document; it receives the names of all files at `/assets`.
    /// - Throws: The error of `document`.
    public init(
        _ identity: ServiceIdentity, pages: [Page] = [], assets: [String: PageFile] = [:],
        document: (_ assets: [String]) throws -> APIDocument
    ) throws {
        self.assets = Self.viewerAssets.merging(assets) { _, own in own }
        self.document = try document(Array(self.assets.keys))
        self.pages = pages
        viewer = .page(Self.viewer(identity, pages))
        files = [
            "openapi.json": PageFile(self.document.json.bytes(), "application/json"),
            "openapi.yaml": PageFile(Array(self.document.json.yaml().utf8), "application/yaml"),
        ]
    }

    func add(to router: some RouterMethods<some RequestContext>) {
        for page in pages { router.get(RouterPath(page.path)) { request, _ in try page.file.response(to: request) } }
        router.get("docs") { [viewer] request, _ in try viewer.response(to: request) }
        for (path, file) in files {
            router.get(RouterPath(path)) { request, _ in try file.response(to: request) }
        }
        router.get("assets/{file}") { [assets] request, context in
            guard let file = context.parameters.get("file").flatMap({ assets[$0] }) else {
                throw Problem(.notFound, "The file does not exist.")
            }
            return try file.response(to: request)
        }
    }

    private static let viewerAssets: [String: PageFile] = [
        "docs.css": .style(PackageResources.docs_css),
        "docs.js": .script(PackageResources.docs_js),
        "dom.js": .script(PackageResources.dom_js),
        "icon.svg": PageFile(PackageResources.icon_svg, "image/svg+xml"),
        "openapi.js": .script(PackageResources.openapi_js),
        "page.css": .style(PackageResources.page_css),
    ]

    private static func viewer(_ identity: ServiceIdentity, _ pages: [Page]) -> [UInt8] {
        let links = pages.map { "<a href=\"\($0.path)\">\(escaped($0.title))</a>" }.joined(separator: "\n    ")
        let text = String(decoding: PackageResources.docs_html, as: UTF8.self)
            .replacing("{{title}}", with: escaped(identity.title)).replacing("{{prefix}}", with: identity.tokenPrefix)
            .replacing("{{pages}}", with: links)
        return Array(text.utf8)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}

extension PageFile {
    /// A page, which the policy of ``ServicePages`` protects.
    fileprivate static func page(_ bytes: [UInt8]) -> PageFile {
        PageFile(
            bytes, "text/html; charset=utf-8", headers: [.contentSecurityPolicy: ServicePages.policy])
    }

    /// A script of a page, in UTF-8.
    public static func script(_ bytes: [UInt8]) -> PageFile { PageFile(bytes, "text/javascript; charset=utf-8") }

    /// A style sheet, in UTF-8.
    public static func style(_ bytes: [UInt8]) -> PageFile { PageFile(bytes, "text/css; charset=utf-8") }
}
