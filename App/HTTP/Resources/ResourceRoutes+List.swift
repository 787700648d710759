internal import HTTPTypes
internal import Hummingbird
internal import LarderApp
internal import LarderDomain

extension ResourceRoutes {
    /// One page, with a link to the next.
    func list(_ request: Request, _ context: Context) async throws -> Response {
        let scope = try service.scope(for: context, isPrivate: R.isPrivate)
        var parameters = try QueryParameters(request)
        var pageParameters = try PageParameters(&parameters)
        let filter = try R.filter(from: &parameters)
        try parameters.finish()
        return try await service.lists.pass {
            while true {
                let page = try await R.page(filter, pageParameters, in: scope)
                let shown = try await R.represent(page.items, in: scope)

                let tag = Self.tag(page, shown)
                if try Preconditions(request).isNotModified(tag) { return .notModified(tag) }
                let (bytes, count) = await Self.bytes(page, shown)
                if count == shown.count {
                    let link = PageParameters.link(parameters, to: page.next, path: "/v1/\(R.name)")
                    return .json(bytes: bytes, tag: tag, headers: link)
                }
                // Asked again and not cut, so that the page is of one snapshot and says itself where the next begins.
                pageParameters.limit = count
            }
        }
    }

    /// A page in JSON. It costs as much as many entities alone, so whoever waits for one gets a turn after a few items.
    ///
    /// - Returns: The page, or how many of its items there is room for; that is one at least.
    private static func bytes(
        _ page: QueryPage<R.Model>, _ shown: [Representation]
    ) async -> (bytes: [UInt8], count: Int) {
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

    private static func tag(_ page: QueryPage<R.Model>, _ shown: [Representation]) -> EntityTag {
        var parts = zip(page.items, shown).flatMap { item, shown in ["\(item.id) \(item.version)"] + shown.others }
        parts.append("next \(page.next?.rawValue ?? "") total \(page.total ?? -1)")
        return EntityTag(R.fingerprint, of: parts)
    }
}
