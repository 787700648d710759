internal import CookbookDomain
internal import Hummingbird
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP

/// Makes one tag of two.
struct MergeTagsRoute: Sendable {
    let service: CookbookService

    func add(to router: RouterGroup<CookbookContext>) {
        router.post("tags/merge", use: merge)
    }

    private func merge(_ request: Request, _ context: CookbookContext) async throws -> Response {
        try await service.posting(request, context) { cookbook, body in
            var fields = JSONFields(body)
            let source = fields.requiredID("source", of: Tag.self)
            let target = fields.requiredID("target", of: Tag.self)
            let (from, into) = try fields.check(source, target)
            let count = try await cookbook.mergeTags.execute(.init(from, into: into))
            return try .json(.object([.init("recipes", .integer(Int64(count)))]))
        }
    }
}
