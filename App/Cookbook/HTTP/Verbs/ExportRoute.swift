internal import CookbookDomain
internal import Hummingbird
internal import LarderDomain
internal import LarderHTTP
internal import NIOCore

/// All recipes that a filter lets through, as schema.org JSON Lines, read a page at a time.
///
/// The first page is read before the answer begins, so that a store that cannot be read is a problem and no answer that
/// breaks off. One that fails later cuts the connection, by which the client knows that there was more.
struct ExportRoute: Sendable {
    /// A page as it is sent.
    private struct Page {
        let lines: OutgoingBody
        /// Where the next page begins; `nil` when this is the last.
        let next: Cursor?
    }

    let service: CookbookService
    /// Bounds the pages that are made at the same time.
    private let pages = WorkGate(4)

    init(service: CookbookService) {
        self.service = service
    }

    func add(to router: RouterGroup<CookbookContext>) {
        router.get("export", use: export)
        router.head("export", use: export)
    }

    private func export(_ request: Request, _ context: CookbookContext) async throws -> Response {
        let cookbook = try service.scope(for: context, isPrivate: false)
        var parameters = try QueryParameters(request)
        let filter = try RecipeResource.recipeFilter(from: &parameters)
        try parameters.finish()
        let headers: HTTPFields = [.contentType: "application/x-ndjson", .cacheControl: "no-store"]
        // Nothing of the head depends on what is stored.
        if request.method == .head { return Response(status: .ok, headers: headers, body: .unsent) }
        let first = try await page(filter, after: nil, in: cookbook)
        let body = ResponseBody { writer in
            var page = first
            while true {
                try await page.lines.write(to: &writer)
                // The first page is referred to until the end.
                page.lines.release()
                guard let next = page.next else { break }
                page = try await self.page(filter, after: next, in: cookbook)
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// Holds nothing of a page but its lines, because a client may take any time to read them.
    private func page(_ filter: RecipeFilter, after: Cursor?, in cookbook: OpenCookbook) async throws -> Page {
        try await pages.pass {
            let page = try await cookbook.exportRecipes.page(filter, after: after)
            var lines = ByteBuffer()
            for recipe in page.recipes {
                lines.writeBytes(RecipeDocument(recipe).line())
                lines.writeInteger(UInt8(ascii: "\n"))
            }
            return Page(lines: try service.outgoing.hold(lines), next: page.next)
        }
    }
}
