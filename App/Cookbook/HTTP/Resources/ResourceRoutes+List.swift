internal import HTTPTypes
internal import Hummingbird
internal import LarderApp
internal import LarderDomain

extension ResourceRoutes {
    /// One page, with a link to the next.
    func list(_ request: Request, _ context: CookbookContext) async throws -> Response {
        let cookbook = try service.cookbook(for: context, isPrivate: R.isPrivate)
        var parameters = try QueryParameters(request)
        let pageParameters = try PageParameters(&parameters)
        let filter = try R.filter(from: &parameters)
        try parameters.finish()
        let page = try await R.page(filter, pageParameters, in: cookbook)
        let shown = try await R.represent(page.items, in: cookbook)

        let tag = Self.tag(page, shown)
        guard !Preconditions(request).isKnown(tag) else { return .notModified(tag) }
        var members: [JSON.Member] = [
            .init("items", .array(shown.map(\.json))),
            .init("next", page.next.map { .string($0.rawValue) } ?? .null),
        ]
        if let total = page.total { members.append(.init("total", .integer(Int64(total)))) }
        return .json(.object(members), tag: tag, headers: Self.link(from: request, to: page.next))
    }

    private static func tag(_ page: Page<R.Model>, _ shown: [Representation]) -> EntityTag {
        var parts = zip(page.items, shown).flatMap { item, shown in ["\(item.id) \(item.version)"] + shown.others }
        parts.append("next \(page.next?.rawValue ?? "") total \(page.total ?? -1)")
        return EntityTag(R.fingerprint, of: parts)
    }

    /// The same list from another place on.
    private static func link(from request: Request, to next: Cursor?) -> HTTPFields {
        guard let next, let name = HTTPField.Name("Link") else { return [:] }
        let rest = (request.uri.query ?? "").split(separator: "&").filter { !$0.hasPrefix("after=") }
        let query = (rest + ["after=\(next.rawValue)"]).joined(separator: "&")
        return [name: "<\(request.uri.path)?\(query)>; rel=\"next\""]
    }
}

extension CookbookContext {
    /// The id in the path.
    ///
    /// - Throws: `Problem` with 404 for a text that is no id: there is nothing of that name.
    func id<E: Entity>(_ name: String) throws(Problem) -> EntityID<E> {
        guard let text = parameters.get(name), let id = EntityID<E>(text) else {
            throw Problem(.notFound, "There is no \(E.entityName) of this name: ids are UUIDs.")
        }
        return id
    }
}
