internal import HTTPTypes
internal import Hummingbird
internal import LarderApp
internal import LarderDomain

extension ResourceRoutes {
    /// One page, with links to the next and the previous one.
    func list(_ request: Request, _ context: Context) async throws -> Response {
        let scope = try service.scope(for: context, isPrivate: R.isPrivate)
        var parameters = try QueryParameters(request)
        var pageParameters = try PageParameters(&parameters)
        let filter = try R.filter(from: &parameters)
        try parameters.finish()
        return try await service.lists.pass {
            while true {
                let epoch = keptEpoch
                let page = try await R.page(filter, pageParameters, in: scope)
                let shown = try await R.represent(page.items, in: scope)
                let isCurrent = epoch == keptEpoch && context.reader == nil

                let tag = Self.tag(page, shown)
                if try Preconditions(request).isNotModified(tag) { return .notModified(tag) }
                let (bytes, count) = await bytes(page, shown, readIn: isCurrent ? epoch : nil)
                if count == shown.count {
                    let link = PageParameters.link(
                        parameters, to: page.next, previous: page.previous, path: "/v1/\(R.name)")
                    return .json(bytes: bytes, tag: tag, headers: link)
                }
                // As JSON, entities may be larger than stored. Queried again rather than cut, so that the page is one
                // snapshot with the matching `next` cursor.
                pageParameters.limit = count
            }
        }
    }

    /// Encodes a page as JSON. A page costs as much as many single entities, so it yields regularly.
    ///
    /// - Parameter epoch: See ``KeptRepresentations/json(of:_:_:readIn:)``.
    /// - Returns: The bytes and the number of items. Of a page that is too large, only the number of items that fit, at
    ///   least one.
    private func bytes(
        _ page: QueryPage<R.Model>, _ shown: [Representation], readIn epoch: UInt64?
    ) async -> (bytes: [UInt8], count: Int) {
        var pace = WorkPace()
        var bytes = Array(#"{"items":["#.utf8)
        for (number, (item, shown)) in zip(page.items, shown).enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            let start = bytes.count
            bytes += service.representations.json(of: item, shown, R.self, readIn: epoch)
            await pace.finished(bytes.count - start)
            if number > 0, bytes.count > Self.largestPage { return ([], number) }
        }
        bytes += "],".utf8
        bytes += JSON.object(page.listMembers).bytes().dropFirst()
        return (bytes, shown.count)
    }

    /// The maximum size of a page in bytes, except for a single item that is larger.
    private static var largestPage: Int { 1_000_000 }

    private static func tag(_ page: QueryPage<R.Model>, _ shown: [Representation]) -> EntityTag {
        var parts = zip(page.items, shown).flatMap { item, shown in ["\(item.id) \(item.version)"] + shown.others }
        parts.append("next \(page.next?.rawValue ?? "") total \(page.total ?? -1)")
        if let previous = page.previous { parts.append("previous \(previous.rawValue)") }
        return EntityTag(R.fingerprint, of: parts)
    }
}
