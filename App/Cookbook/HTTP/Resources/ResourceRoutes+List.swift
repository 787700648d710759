internal import HTTPTypes
internal import Hummingbird
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP

extension ResourceRoutes {
    /// One page, with a link to the next.
    func list(_ request: Request, _ context: CookbookContext) async throws -> Response {
        let cookbook = try service.cookbook(for: context, isPrivate: R.isPrivate)
        var parameters = try QueryParameters(request)
        var pageParameters = try PageParameters(&parameters)
        let filter = try R.filter(from: &parameters)
        try parameters.finish()
        return try await service.lists.pass {
            while true {
                let page = try await R.page(filter, pageParameters, in: cookbook)
                let shown = try await R.represent(page.items, in: cookbook)

                let tag = Self.tag(page, shown)
                if try Preconditions(request).isNotModified(tag) { return .notModified(tag) }
                let (bytes, count) = await Self.bytes(page, shown)
                if count == shown.count {
                    return .json(bytes: bytes, tag: tag, headers: Self.link(parameters, to: page.next))
                }
                // Asked again and not cut, so that the page is of one snapshot and says itself where the next begins.
                pageParameters.limit = count
            }
        }
    }

    /// A page in JSON. It costs as much as many entities alone, so whoever waits for one gets a turn after a few items.
    ///
    /// - Returns: The page, or how many of its items there is room for; that is one at least.
    private static func bytes(_ page: Page<R.Model>, _ shown: [Representation]) async -> (bytes: [UInt8], count: Int) {
        let turn = 4
        var bytes = Array(#"{"items":["#.utf8)
        for (number, item) in shown.enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            if number % turn == 0 { await Task.yield() }
            item.json.write(into: &bytes)
            if number > 0, bytes.count > largestPage { return ([], number) }
        }
        bytes += "],".utf8
        bytes += JSON.object(page.listMembers).bytes().dropFirst()
        return (bytes, shown.count)
    }

    /// The bytes of items that a page has at most, but for one item that has more alone.
    private static var largestPage: Int { 1_000_000 }

    private static func tag(_ page: Page<R.Model>, _ shown: [Representation]) -> EntityTag {
        var parts = zip(page.items, shown).flatMap { item, shown in ["\(item.id) \(item.version)"] + shown.others }
        parts.append("next \(page.next?.rawValue ?? "") total \(page.total ?? -1)")
        return EntityTag(R.fingerprint, of: parts)
    }

    /// The same list from another place on.
    ///
    /// - Parameter path: Where the list is; `nil` for that of the resource.
    static func link(_ parameters: QueryParameters, to next: Cursor?, path: String? = nil) -> HTTPFields {
        guard let next, let name = HTTPField.Name("Link") else { return [:] }
        let query = parameters.query(setting: "after", to: next.rawValue)
        return [name: "<\(path ?? "/v1/\(R.name)")?\(query)>; rel=\"next\""]
    }
}

extension Page {
    /// The members of a list that follow its items.
    var listMembers: [JSON.Member] {
        let next = JSON.Member("next", next.map { .string($0.rawValue) } ?? .null)
        return [next] + (total.map { [JSON.Member("total", .integer(Int64($0)))] } ?? [])
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
