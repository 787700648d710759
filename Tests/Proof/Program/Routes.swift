internal import HTTPTypes
internal import Hummingbird
internal import LarderApp
internal import LarderData
internal import LarderDomain
internal import LarderHTTP
internal import NIOCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An account authenticated by a token.
struct ProofCaller: ServiceCaller {
    let account: Account

    var key: String { account.id.description }
    var operatorPermissions: Set<OperatorPermission> { account.isOperator ? .all : [] }

    static func == (lhs: ProofCaller, rhs: ProofCaller) -> Bool {
        lhs.account.id == rhs.account.id && lhs.account.isOperator == rhs.account.isOperator
    }
}

struct Operators: OperatorRegistry {
    let manager: any PersistencyManager
    let nameForm = "a name"
    let standardName = "operator"
    var tokens: AccessTokens { ProofAPI.tokens(manager) }

    func operators() async throws -> [RawID] {
        try await manager.read(Query<Account>(#Predicate { $0.isOperator })).items.map(\.id.rawValue)
    }
    func isTaken(_ name: String) async throws -> Bool { false }
    func register(_ name: String) async throws -> RawID {
        try await manager.create(Account(id: ids.next(), name: name, isOperator: true)).id.rawValue
    }
}

/// The routes: the resources, the use of an item, its file, and an export.
struct ProofAPI: ServiceAPI {
    typealias Context = CallerContext<ProofCaller>

    static let resources: [any Resource<any PersistencyManager>.Type] = [
        AccountResource.self, LabelResource.self, ItemResource.self, EventResource.self,
    ]

    let identity = ProofProgram.identity
    var operators: (any OperatorRegistry)? { Operators(manager: service.manager) }
    let service: ResourceService<ProofCaller, any PersistencyManager>
    /// Files that are being sent: one of the maximum size, or several smaller ones.
    private let files = SharedValues<EntityID<File>, File>(bytes: 6 << 20, loads: 1) { $0.bytes.count }
    private let exports = WorkGate(4)

    init(_ manager: any PersistencyManager, _ settings: ServerSettings) {
        let tokens = Self.tokens(manager)
        service = ResourceService(
            manager: manager,
            authenticator: AccessTokenAuthenticator(tokens) {
                try await manager.read(EntityID<Account>($0)).map { ProofCaller(account: $0.entity) }
            },
            readingIsOpen: settings.reading == .open, limits: settings.limits, responses: ResponseKeeper()
        ) { manager, _ in manager }
    }

    static func tokens(_ manager: any PersistencyManager) -> AccessTokens {
        AccessTokens(manager: manager, prefix: ProofProgram.identity.tokenPrefix)
    }

    func pages() throws -> ServicePages {
        try ServicePages(identity) { assets in
            try APIDocument(
                identity, own: [PackageResources.document_json], resources: Self.resources,
                tokenOwners: AccountResource.name, assets: assets)
        }
    }

    func addRoutes(to group: RouterGroup<Context>, _ parts: ServiceParts) {
        service.add(Self.resources, to: group)
        group.post("items/{id}/use", use: use)
        group.get("items/{id}/file", use: readFile)
        group.put("items/{id}/file", use: putFile)
        group.get("export", use: export)
        TokenRoutes(service, collection: AccountResource.name, tokens: Self.tokens) {
            (id: EntityID<Account>, _, manager) in _ = try await manager.require(id)
        }.add(to: group)
        ChangesRoute(service, parts, policies: Self.policies).add(to: group)
    }

    /// All callers follow all changes of resources.
    private static func policies(of caller: ProofCaller?) -> PolicySet {
        func policy<R: Resource>(_ resource: R.Type) -> any AccessPolicy { OwnerPolicy<R.Model>() }
        return PolicySet(Self.resources.map { policy($0) })
    }

    /// Stores an event and counts it in the item, in one commit.
    private func use(_ request: Request, _ context: Context) async throws -> Response {
        let id: EntityID<Item> = try context.id("id")
        return try await service.posting(request, context) { manager, _ in
            let event = try await manager.transaction { manager in
                var item = try await manager.require(id).entity
                item.uses += 1
                try await manager.update(item)
                return try await manager.create(Event(id: ids.next(), item: id, at: .now()))
            }
            return try .json(
                EventResource.represent([event], in: manager)[0].json, status: .created,
                location: "/v1/events/\(event.id)")
        }
    }

    private func putFile(_ request: Request, _ context: Context) async throws -> Response {
        let manager = try service.scope(for: context, isPrivate: true)
        let id: EntityID<Item> = try context.id("id")
        guard request.mediaType == "application/octet-stream" else {
            throw Problem(.unsupportedMediaType, "The body must be application/octet-stream.")
        }
        return try await service.loading(try await request.wholeBody(upTo: 5 << 20)) { bytes in
            try await manager.transaction { manager in
                var item = try await manager.require(id).entity
                let file = File(id: ids.next(), bytes: bytes)
                try await manager.create(file)
                let old = item.file
                item.file = file.id
                try await manager.update(item)
                if let old { try await manager.delete(old) }
            }
            return Response(status: .noContent)
        }
    }

    private func readFile(_ request: Request, _ context: Context) async throws -> Response {
        let manager = try service.scope(for: context, isPrivate: false)
        guard let id = try await manager.require(try context.id("id") as EntityID<Item>).entity.file,
            let count = try await file(id, manager)?.bytes.count
        else { throw Problem(.notFound, "The item has no file.") }
        let body = ResponseBody { writer in
            for sent in stride(from: 0, to: count, by: OutgoingBytes.pieceBytes) {
                try await writer.write(try await piece(of: id, from: sent, manager))
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: "application/octet-stream", .contentLength: String(count)], body: body)
    }

    /// A separate function, so that the bytes of the file are not retained while the client reads the chunk.
    private func piece(
        of id: EntityID<File>, from sent: Int, _ manager: any PersistencyManager
    ) async throws -> ByteBuffer {
        guard let file = try await file(id, manager) else { throw PersistencyError.notFound(EntityReference(id)) }
        return ByteBuffer(bytes: file.bytes[sent...].prefix(OutgoingBytes.pieceBytes))
    }

    private func file(_ id: EntityID<File>, _ manager: any PersistencyManager) async throws -> File? {
        try await files.value(for: id) { try await manager.read(id)?.entity }
    }

    /// Exports all items, one JSON object per line, read one page at a time.
    private func export(_ request: Request, _ context: Context) async throws -> Response {
        let manager = try service.scope(for: context, isPrivate: false)
        try QueryParameters(request).finish()
        let first = try await lines(after: nil, manager)
        let body = ResponseBody { writer in
            var page = first
            while true {
                try await page.lines.write(to: &writer)
                page.lines.release()
                guard let next = page.next else { break }
                page = try await lines(after: next, manager)
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: "application/x-ndjson"], body: body)
    }

    private func lines(
        after: Cursor?, _ manager: any PersistencyManager
    ) async throws -> (lines: OutgoingBody, next: Cursor?) {
        try await exports.pass {
            var query = Query<Item>(sort: [Sort(\.name)], limit: 50)
            query.after = after
            let page = try await manager.read(query)
            var lines = ByteBuffer()
            for item in ItemResource.represent(page.items, in: manager) {
                lines.writeBytes(item.json.bytes() + [UInt8(ascii: "\n")])
            }
            return (try service.outgoing.hold(lines), page.next)
        }
    }
}
