internal import HTTPTypes
public import Hummingbird
public import LarderApp
public import LarderDomain

/// The routes of the access tokens of a subject: list, issue, revoke. To issue one requires the permission
/// ``OperatorPermission/issueTokens``, also for the caller itself, because a stolen token could otherwise issue others.
public struct TokenRoutes<Caller: ServiceCaller, Scope: Sendable, Subject: Entity>: Sendable {
    private typealias Context = CallerContext<Caller>

    private let service: ResourceService<Caller, Scope>
    private let collection: String
    private let tokens: @Sendable (Scope) -> AccessTokens
    private let check: @Sendable (EntityID<Subject>, Caller?, Scope) async throws -> Void

    /// - Parameters:
    ///   - service: The parts that the routes share.
    ///   - collection: The name of the subjects' collection in paths below `/v1`.
    ///   - tokens: The tokens that a scope's caller may see, issue and revoke.
    ///   - check: Throws if the subject does not exist, or the caller may not see its tokens.
    public init(
        _ service: ResourceService<Caller, Scope>, collection: String,
        tokens: @escaping @Sendable (Scope) -> AccessTokens,
        check: @escaping @Sendable (EntityID<Subject>, Caller?, Scope) async throws -> Void
    ) {
        (self.service, self.collection, self.tokens, self.check) = (service, collection, tokens, check)
    }

    /// Adds the routes to a group of routes at `/v1`.
    public func add(to router: RouterGroup<CallerContext<Caller>>) {
        router.get("\(collection)/{id}/tokens", use: list)
        router.post("\(collection)/{id}/tokens", use: issue)
        router.post("\(collection)/{id}/tokens/{token}/revoke", use: revoke)
    }

    private func list(_ request: Request, _ context: Context) async throws -> Response {
        let scope = try service.scope(for: context, isPrivate: true)
        var parameters = try QueryParameters(request)
        let wanted = try PageParameters(&parameters)
        try parameters.finish()
        let subject = try await subject(context, in: scope)
        let page = try await tokens(scope).page(
            of: subject.rawValue, limit: wanted.limit, after: wanted.after, before: wanted.before,
            includesTotal: wanted.includesTotal)
        let items = page.entities.map { JSON.object($0.members) }
        var headers = PageParameters.link(
            parameters, to: page.next, previous: page.previous, path: "/v1/\(collection)/\(subject)/tokens")
        headers[.cacheControl] = "no-store"
        return .json(.object([.init("items", .array(items))] + page.listMembers), headers: headers)
    }

    /// The only response that contains a secret. It is not stored under an idempotency key.
    private func issue(_ request: Request, _ context: Context) async throws -> Response {
        try service.refuseIdempotencyKey(request, "a response with a secret is not stored.")
        return try await service.posting(request, context) { scope in
            _ = try await subject(context, in: scope)
            guard context.caller?.operatorPermissions.contains(.issueTokens) == true else {
                throw Problem(.forbidden, "You do not have the permission to issue tokens.")
            }
        } _: { scope, body in
            let subject = try await subject(context, in: scope)
            var fields = JSONFields(body)
            let label = fields.requiredString("label")
            let days = fields.integer("days") ?? 90
            if !(1...365).contains(days) { fields.note("days", "must be 1 to 365") }
            let restriction = fields.restriction("permissions")
            let (secret, token) = try await tokens(scope).issue(
                to: subject.rawValue, label: try fields.check(label), lifetime: .seconds(86_400 * days),
                restriction: restriction)
            context.note(act: "issue token", ["token": "\(token.id)", "owner": "\(subject)"])
            return try .json(.object(token.members + [.init("token", .string(secret.text))]), status: .created)
        }
    }

    private func revoke(_ request: Request, _ context: Context) async throws -> Response {
        let scope = try service.scope(for: context, isPrivate: true)
        let subject = try await subject(context, in: scope)
        let id: EntityID<AccessToken> = try context.id("token")
        guard try await tokens(scope).read(id)?.subject == subject.rawValue else {
            throw PersistencyError.notFound(EntityReference(id))
        }
        try await tokens(scope).revoke(id)
        context.note(act: "revoke token", ["token": "\(id)", "owner": "\(subject)"])
        return Response(status: .noContent)
    }

    private func subject(_ context: Context, in scope: Scope) async throws -> EntityID<Subject> {
        let id: EntityID<Subject> = try context.id("id")
        try await check(id, context.caller, scope)
        return id
    }
}

extension JSONFields {
    /// The restriction of a new token: a list of permissions; `nil` without a list.
    fileprivate mutating func restriction(_ name: String) -> TokenRestriction? {
        let parsed = parsedList(name, TokenRestriction.form) { text in
            TokenRestriction.possible.first { $0.rawValue == text }
        }
        guard let list = parsed else { return nil }
        if Set(list).count < list.count { note(name, "must not repeat a permission") }
        return made { () throws(InvalidField) in try TokenRestriction(Set(list)) }
    }
}

extension AccessToken {
    /// The members of the representation, without the secret.
    public var members: [JSON.Member] {
        [
            .init("id", .string(id.description)),
            .init("label", .string(label)),
            .init("createdAt", .string(createdAt.description)),
            .init("expiresAt", .string(expiresAt.description)),
            .init("revokedAt", revokedAt.map { .string($0.description) } ?? .null),
        ] + (restriction.map { [.init("permissions", .array($0.names.map(JSON.string)))] } ?? [])
    }
}
