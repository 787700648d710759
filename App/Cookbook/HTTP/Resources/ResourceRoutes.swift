internal import Hummingbird
internal import LarderApp
internal import LarderDomain

/// The routes of one kind of entity: list, create, read, replace, change, delete.
struct ResourceRoutes<R: Resource>: Sendable {
    let service: CookbookService

    func add(to router: RouterGroup<CookbookContext>) {
        let group = router.group("\(R.name)")
        group.get(use: list)
        group.post(use: create)
        group.get("{id}", use: read)
        group.put("{id}", use: replace)
        group.patch("{id}", use: patch)
        group.delete("{id}", use: delete)
    }

    private func read(_ request: Request, _ context: CookbookContext) async throws -> Response {
        let cookbook = try service.cookbook(for: context, isPrivate: R.isPrivate)
        let shown = try await shown(try await stored(context, in: cookbook), in: cookbook)
        guard !Preconditions(request).isKnown(shown.tag) else { return .notModified(shown.tag) }
        return .json(shown.form.json, tag: shown.tag)
    }

    private func create(_ request: Request, _ context: CookbookContext) async throws -> Response {
        try await service.posting(request, context) { cookbook, body in
            var fields = JSONFields(body)
            let entity = try R.entity(from: &fields, replacing: nil, in: cookbook)
            let stored = try await R.repository(in: cookbook).create(entity)
            let shown = try await shown(stored, in: cookbook)
            return try .json(
                shown.form.json, status: .created, tag: shown.tag, location: "/v1/\(R.name)/\(entity.id)")
        }
    }

    private func replace(_ request: Request, _ context: CookbookContext) async throws -> Response {
        try await change(request, context) { cookbook, _ in
            try JSON(parsing: try await request.jsonBytes(upTo: service.limits.jsonBodyBytes))
        }
    }

    private func patch(_ request: Request, _ context: CookbookContext) async throws -> Response {
        try await change(request, context) { cookbook, shown in
            let bytes = try await request.jsonBytes(
                ["application/merge-patch+json"], upTo: service.limits.jsonBodyBytes)
            return shown.merging(patch: try JSON(parsing: bytes)).showing(nullFor: shown)
        }
    }

    /// Changes an entity to what a body says, if the client knows its present form.
    private func change(
        _ request: Request, _ context: CookbookContext, _ body: (OpenCookbook, JSON) async throws -> JSON
    ) async throws -> Response {
        let cookbook = try service.cookbook(for: context, isPrivate: true)
        let old = try await stored(context, in: cookbook)
        let before = try await shown(old, in: cookbook)
        try Preconditions(request).requireMatch(before.tag)
        var fields = JSONFields(try await body(cookbook, before.form.json))
        let entity = try R.entity(from: &fields, replacing: old.entity, in: cookbook)
        let saved = try await ifUnchanged(old.id, in: cookbook) {
            try await R.repository(in: cookbook).update(entity, expecting: old.version)
        }
        let after = try await shown(saved.stored, in: cookbook)
        return .json(after.form.json, tag: after.tag)
    }

    private func delete(_ request: Request, _ context: CookbookContext) async throws -> Response {
        let cookbook = try service.cookbook(for: context, isPrivate: true)
        let old = try await stored(context, in: cookbook)
        try Preconditions(request).requireMatch(try await shown(old, in: cookbook).tag)
        try await ifUnchanged(old.id, in: cookbook) {
            try await R.repository(in: cookbook).delete(old.id, expecting: old.version)
        }
        return Response(status: .noContent)
    }

    /// Answers a conflict with the tag that holds now.
    private func ifUnchanged<Result>(
        _ id: EntityID<R.Model>, in cookbook: OpenCookbook, _ change: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await change()
        } catch {
            guard case .conflict? = error as? PersistencyError else { throw error }
            let current = try await R.repository(in: cookbook).require(id)
            throw Preconditions.failed(current: try await shown(current, in: cookbook).tag)
        }
    }

    private func stored(_ context: CookbookContext, in cookbook: OpenCookbook) async throws -> Stored<R.Model> {
        try await R.repository(in: cookbook).require(try context.id("id"))
    }

    private func shown(
        _ stored: Stored<R.Model>, in cookbook: OpenCookbook
    ) async throws -> (form: Representation, tag: EntityTag) {
        guard let shown = try await R.represent([stored], in: cookbook).first else {
            throw PersistencyError.notFound(EntityReference(stored.id))
        }
        return (shown, EntityTag(R.fingerprint, version: stored.version, others: shown.others))
    }
}

extension JSON {
    /// With null for each member of another object that this one lacks: what a patch took away is null, as it is shown,
    /// and not something of which there is no word.
    fileprivate func showing(nullFor other: JSON) -> JSON {
        guard case .object(let members) = self, case .object(let others) = other else { return self }
        let names = Set(members.map(\.name))
        return .object(members + others.filter { !names.contains($0.name) }.map { .init($0.name, .null) })
    }
}
