internal import CookbookDomain
internal import Hummingbird
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP
internal import NIOCore

/// All recipes that match a filter, as schema.org JSON Lines, read one page at a time.
///
/// The first page is read before the response starts, so that an unreadable store results in a problem instead of a
/// truncated response. A later failure closes the connection, so that the client detects truncation.
struct ExportRoute: Sendable {
    /// A page as JSON Lines.
    private struct Page {
        let lines: OutgoingBody
        /// The cursor of the next page; `nil` for the last page.
        let next: Cursor?
    }

    let service: CookbookService

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
        // The response's header does not depend on the store.
        if request.method == .head { return Response(status: .ok, headers: headers, body: .unsent) }
        // Pages count to the caller's shares, also pages that are made after the response has begun.
        let caller = WorkCaller.current
        let first = try await page(filter, after: nil, in: cookbook, for: caller)
        let body = ResponseBody { writer in
            var page = first
            while true {
                try await page.lines.write(to: &writer)
                // `first` retains the first page until the end, so its lines are released here.
                page.lines.release()
                guard let next = page.next else { break }
                page = try await self.page(filter, after: next, in: cookbook, for: caller)
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// Retains only the lines of a page, because a client may read them slowly.
    private func page(
        _ filter: RecipeFilter, after: Cursor?, in cookbook: OpenCookbook, for caller: String?
    ) async throws -> Page {
        try await service.lists.pass(for: caller) {
            let page = try await cookbook.exportRecipes.page(filter, after: after)
            var lines = ByteBuffer()
            var pace = WorkPace()
            for recipe in page.recipes {
                let length = lines.writeBytes(RecipeDocument(recipe).line())
                lines.writeInteger(UInt8(ascii: "\n"))
                await pace.finished(length)
            }
            return Page(lines: try service.outgoing.hold(lines, for: caller), next: page.next)
        }
    }
}
