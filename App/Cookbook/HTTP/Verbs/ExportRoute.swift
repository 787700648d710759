internal import CookbookDomain
internal import Hummingbird
internal import LarderApp
internal import LarderDomain
internal import NIOCore

/// All recipes that a filter lets through, as schema.org JSON Lines, read a page at a time.
///
/// The first page is read before the answer begins, so that a store that cannot be read is a problem and no answer that
/// breaks off. One that fails later cuts the connection, by which the client knows that there was more.
struct ExportRoute: Sendable {
    /// From how many bytes on lines are sent without waiting for more: a page of large recipes is never one piece.
    private static let pieceBytes = 64 << 10

    let service: CookbookService
    private let places = ExportPlaces(4)

    init(service: CookbookService) {
        self.service = service
    }

    func add(to router: RouterGroup<CookbookContext>) {
        router.get("export", use: export)
        router.head("export", use: export)
    }

    private func export(_ request: Request, _ context: CookbookContext) async throws -> Response {
        let cookbook = try service.cookbook(for: context, isPrivate: false)
        var parameters = try QueryParameters(request)
        let filter = try RecipeResource.recipeFilter(from: &parameters)
        try parameters.finish()
        let headers: HTTPFields = [.contentType: "application/x-ndjson", .cacheControl: "no-store"]
        // Nothing of the head depends on what is stored.
        if request.method == .head { return Response(status: .ok, headers: headers, body: .unsent) }
        let place = try places.take()
        let first = try await cookbook.exportRecipes.page(filter, after: nil)
        let body = ResponseBody { writer in
            defer { place.leave() }
            var page = first
            while true {
                var rest = page.recipes[...]
                while !rest.isEmpty { try await writer.write(try Self.piece(of: &rest)) }
                guard let next = page.next else { break }
                page = try await cookbook.exportRecipes.page(filter, after: next)
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// Takes the first recipes away, as many as are sent together.
    private static func piece(of recipes: inout ArraySlice<ExportRecipes.Exported>) throws -> ByteBuffer {
        var lines = ByteBuffer()
        while lines.readableBytes < pieceBytes, let recipe = recipes.popFirst() {
            lines.writeBytes(try RecipeDocument(recipe).line())
            lines.writeInteger(UInt8(ascii: "\n"))
        }
        return lines
    }
}
