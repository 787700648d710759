internal import CookbookDomain
internal import Hummingbird
internal import LarderApp
internal import LarderDomain
internal import NIOCore

/// All recipes that a filter lets through, as schema.org JSON Lines, sent page by page.
///
/// The first page is read before the answer begins, so that a store that cannot be read is a problem and no answer that
/// breaks off. One that fails later cuts the connection, by which the client knows that there was more.
struct ExportRoute: Sendable {
    let service: CookbookService

    func add(to router: RouterGroup<CookbookContext>) {
        router.get("export", use: export)
    }

    private func export(_ request: Request, _ context: CookbookContext) async throws -> Response {
        let cookbook = try service.cookbook(for: context, isPrivate: false)
        var parameters = try QueryParameters(request)
        let filter = try RecipeResource.recipeFilter(from: &parameters)
        try parameters.finish()
        let headers: HTTPFields = [.contentType: "application/x-ndjson", .cacheControl: "no-store"]
        // Nothing of the head depends on what is stored.
        if request.method == .head { return Response(status: .ok, headers: headers) }
        let first = try await Self.page(filter, after: nil, in: cookbook)
        let body = ResponseBody { writer in
            try await writer.write(first.lines)
            var next = first.next
            while let cursor = next {
                let page = try await Self.page(filter, after: cursor, in: cookbook)
                try await writer.write(page.lines)
                next = page.next
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    private static func page(
        _ filter: RecipeFilter, after: Cursor?, in cookbook: OpenCookbook
    ) async throws -> (lines: ByteBuffer, next: Cursor?) {
        let page = try await cookbook.exportRecipes.page(filter, after: after)
        var lines = ByteBuffer()
        for recipe in page.recipes {
            lines.writeBytes(try RecipeDocument(recipe).line())
            lines.writeInteger(UInt8(ascii: "\n"))
        }
        return (lines, page.next)
    }
}
