public import Hummingbird
internal import LarderApp
internal import LarderDomain

extension ResourceService {
    /// Adds the routes of resources to a group of routes at `/v1`.
    public func add(_ resources: [any Resource<Scope>.Type], to group: RouterGroup<CallerContext<Caller>>) {
        for resource in resources { add(resource, to: group) }
    }

    private func add<R: Resource>(_ resource: R.Type, to group: RouterGroup<CallerContext<Caller>>)
    where R.Scope == Scope {
        ResourceRoutes(resource, self).add(to: group)
    }
}

/// The routes of one resource: those of its ``Resource/verbs``.
public struct ResourceRoutes<R: Resource, Caller: ServiceCaller>: Sendable {
    typealias Context = CallerContext<Caller>

    let service: ResourceService<Caller, R.Scope>

    /// Makes the routes of a resource; they share the parts of a service.
    public init(_ resource: R.Type, _ service: ResourceService<Caller, R.Scope>) {
        self.service = service
    }

    /// Adds the routes to a group of routes at `/v1`.
    public func add(to router: RouterGroup<CallerContext<Caller>>) {
        let group = router.group("\(R.name)")
        for verb in ResourceVerb.allCases where R.verbs.contains(verb) {
            switch verb {
            case .list: group.get(use: list)
            case .create: group.post(use: create)
            case .read: group.get("{id}", use: read)
            case .replace: group.put("{id}", use: replace)
            case .patch: group.patch("{id}", use: patch)
            case .delete: group.delete("{id}", use: delete)
            }
        }
    }

    /// The maximum size of a body in bytes.
    private var largestBody: Int { max(service.limits.jsonBodyBytes, R.largestBody) }

    /// The epoch of lives for representations that are kept.
    var keptEpoch: UInt64? { R.keepsRepresentations ? service.representations.epoch : nil }

    private func read(_ request: Request, _ context: Context) async throws -> Response {
        let scope = try service.scope(for: context, isPrivate: R.isPrivate)
        let id: R.Model.ID = try context.id("id")
        return try await service.reading(id.rawValue) { isLengthKnown in
            let epoch = keptEpoch
            let stored = try await stored(context, in: scope)
            let shown = try await shown(stored, in: scope)
            let isNotModified = try Preconditions(request).isNotModified(shown.tag)
            if isNotModified, isLengthKnown { return (.notModified(shown.tag), nil) }
            let isCurrent = epoch == keptEpoch && context.reader == nil
            let json = service.representations.json(
                of: stored, shown.form, R.self, readIn: isCurrent ? epoch : nil)
            let whole = Response.json(bytes: json, tag: shown.tag)
            return (isNotModified ? .notModified(shown.tag) : whole, whole.body.contentLength)
        }
    }

    private func create(_ request: Request, _ context: Context) async throws -> Response {
        try await service.posting(request, context, upTo: largestBody) { scope in
            try R.repository(in: scope).requirePermission(for: .creating)
        } _: { scope, body in
            var fields = JSONFields(body)
            let entity = try R.entity(from: &fields, replacing: nil, in: scope)
            let stored = try await R.repository(in: scope).create(entity)
            let shown = try await shown(stored, in: scope)
            let content = try ResponseContent.json(
                shown.form.json, status: .created, tag: shown.tag, location: "/v1/\(R.name)/\(entity.id)")
            service.noteLength(content.body.count, of: entity.id.rawValue)
            return content
        }
    }

    private func replace(_ request: Request, _ context: Context) async throws -> Response {
        try await change(request, context, as: "application/json") { body, _ in body }
    }

    private func patch(_ request: Request, _ context: Context) async throws -> Response {
        try await change(request, context, as: "application/merge-patch+json") { patch, before in
            try Self.checkMembers(of: patch)
            let shown = before.json
            return shown.merging(patch: patch).showing(nullFor: shown)
        }
    }

    /// Changes an entity if the precondition is true. `changed` combines the body with the present representation.
    private func change(
        _ request: Request, _ context: Context, as type: String, _ changed: (JSON, Representation) throws -> JSON
    ) async throws -> Response {
        let scope = try service.scope(for: context, isPrivate: true)
        try R.repository(in: scope).requirePermission(for: .changing, try context.id("id"))
        var sent: Spool?
        return try await basedOnPresent(request, context, in: scope) { old, before in
            let come = if let sent { sent } else { try await request.jsonBody([type], upTo: largestBody) }
            sent = come
            return try await service.loading(come, changing: old.id.rawValue) { bytes in
                let body = try JSON(parsing: bytes)
                var fields = JSONFields(try changed(body, before))
                let entity = try R.entity(from: &fields, replacing: old.entity, in: scope)
                let saved = try await body.locatingReferences {
                    try await R.repository(in: scope).update(entity, expecting: old.version)
                }
                let after = try await shown(saved.stored, in: scope)
                let response = Response.json(after.form.json, tag: after.tag)
                service.noteLength(response.body.contentLength ?? 0, of: old.id.rawValue)
                return response
            }
        }
    }

    private func delete(_ request: Request, _ context: Context) async throws -> Response {
        let scope = try service.scope(for: context, isPrivate: true)
        return try await basedOnPresent(request, context, in: scope) { old, _ in
            try await R.repository(in: scope).delete(old.id, expecting: old.version)
            return Response(status: .noContent)
        }
    }

    /// Runs work on the present version, if the precondition is true. After a conflict the client gets 412 with the new
    /// tag, except with `If-Match: *`: then the work is repeated on the new version.
    private func basedOnPresent<Result>(
        _ request: Request, _ context: Context, in scope: R.Scope,
        _ work: (Stored<R.Model>, Representation) async throws -> Result
    ) async throws -> Result {
        let conditions = Preconditions(request)
        let isConflict = { (error: any Error) in if case PersistencyError.conflict = error { true } else { false } }
        let interruption: any Error = PersistencyError.cancelled
        return try await service.retry.repeating(interruption: interruption, while: isConflict) { _ in
            let old = try await stored(context, in: scope)
            let before = try await shown(old, in: scope)
            try conditions.requireMatch(before.tag)
            do {
                return try await work(old, before.form)
            } catch PersistencyError.conflict where !conditions.takeAnything {
                let current = try await R.repository(in: scope).require(old.id)
                throw Preconditions.failed(current: try await shown(current, in: scope).tag)
            }
        }
    }

    private func stored(_ context: Context, in scope: R.Scope) async throws -> Stored<R.Model> {
        try await R.repository(in: scope).require(try context.id("id"))
    }

    private func shown(
        _ stored: Stored<R.Model>, in scope: R.Scope
    ) async throws -> (form: Representation, tag: EntityTag) {
        guard let shown = try await R.represent([stored], in: scope).first else {
            throw PersistencyError.notFound(EntityReference(stored.id))
        }
        return (shown, EntityTag(R.fingerprint, version: stored.version, others: shown.others))
    }
}

extension JSON {
    /// Adds null for each member of another object that this one lacks: the entity gets a member that a patch removed
    /// as null, as in representations, rather than as missing.
    fileprivate func showing(nullFor other: JSON) -> JSON {
        guard case .object(let members) = self, case .object(let others) = other else { return self }
        let names = Set(members.map(\.name))
        return .object(members + others.filter { !names.contains($0.name) }.map { .init($0.name, .null) })
    }
}
