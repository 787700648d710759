internal import CookbookDomain
internal import Hummingbird
internal import LarderApp
internal import LarderDomain
internal import NIOCore

/// All recipes that a filter lets through, as schema.org JSON Lines, sent page by page.
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
        let body = ResponseBody { writer in
            var next: Cursor?
            repeat {
                let page = try await cookbook.exportRecipes.page(filter, after: next)
                var lines: [UInt8] = []
                for recipe in page.recipes { lines += try RecipeDocument(recipe).line() + [UInt8(ascii: "\n")] }
                try await writer.write(ByteBuffer(bytes: lines))
                next = page.next
            } while next != nil
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: "application/x-ndjson", .cacheControl: "no-store"], body: body)
    }
}
