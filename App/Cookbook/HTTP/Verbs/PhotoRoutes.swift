internal import CookbookData
internal import CookbookDomain
internal import Crypto
internal import HTTPTypes
internal import Hummingbird
internal import LarderApp
internal import LarderData
internal import LarderDomain
internal import LarderHTTP
internal import NIOCore

struct PhotoRoutes: Sendable {
    private static let fingerprint = SchemaFingerprint(
        PhotoMapper.mapping.schema, evolution: CookbookMappers.evolution)

    let service: CookbookService
    /// Photos that are being sent: one of the maximum size, or several smaller ones.
    private let photos = SharedValues<EntityID<Photo>, Photo>(bytes: 6 << 20, loads: 1) { $0.bytes.count }

    private let maximumBytes: Int

    /// - Parameter maximumBytes: The maximum size of a photo.
    init(service: CookbookService, maximumBytes: Int) {
        (self.service, self.maximumBytes) = (service, maximumBytes)
    }

    func add(to router: RouterGroup<CookbookContext>) {
        router.get("recipes/{id}/photo", use: read)
        router.put("recipes/{id}/photo", use: put)
        router.delete("recipes/{id}/photo", use: delete)
    }

    private func read(_ request: Request, _ context: CookbookContext) async throws -> Response {
        let cookbook = try service.scope(for: context, isPrivate: false)
        guard let photo = try await photo(of: try context.id("id"), in: cookbook) else {
            throw Problem(.notFound, "The recipe has no photo.")
        }
        let tag = Self.tag(of: photo)
        if try Preconditions(request).isNotModified(tag) { return .notModified(tag) }
        let (id, count) = (photo.id, photo.bytes.count)
        // Does not retain the bytes while the client reads slowly; fetches them for each chunk.
        let body = ResponseBody { writer in
            var sent = 0
            while sent < count {
                let piece = try await piece(of: id, from: sent, in: cookbook)
                try await writer.write(piece)
                sent += piece.readableBytes
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: photo.mediaType.rawValue, .contentLength: String(count), .eTag: tag.text,
                .cacheControl: "private, no-cache", .vary: "Authorization",
            ], body: body)
    }

    /// The photo of a recipe; `nil` if it has none.
    ///
    /// - Throws: `notFound` when the caller cannot see such a recipe.
    private func photo(of recipe: EntityID<Recipe>, in cookbook: OpenCookbook) async throws -> Photo? {
        // Retried when the photo is replaced between the two reads.
        for _ in 0..<3 {
            guard let id = try await cookbook.recipes.require(recipe).entity.photo else { return nil }
            if let photo = try await photo(id, in: cookbook) { return photo }
        }
        return nil
    }

    private func photo(_ id: EntityID<Photo>, in cookbook: OpenCookbook) async throws -> Photo? {
        try await photos.value(for: id) { try await cookbook.photos.read(id)?.entity }
    }

    /// - Throws: ``Replaced`` for a photo that is no longer stored; the client detects the truncated response.
    private func piece(
        of id: EntityID<Photo>, from offset: Int, in cookbook: OpenCookbook
    ) async throws -> ByteBuffer {
        guard let photo = try await photo(id, in: cookbook) else { throw Replaced() }
        return ByteBuffer(bytes: photo.bytes[offset...].prefix(OutgoingBytes.pieceBytes))
    }

    /// The photo was replaced or deleted while it was being sent.
    private struct Replaced: Error {}

    /// Replaces the photo of the version that the client knows, or adds the first one. All checks that do not need the
    /// photo run before it is read.
    private func put(_ request: Request, _ context: CookbookContext) async throws -> Response {
        let cookbook = try service.scope(for: context, isPrivate: true)
        let id: EntityID<Recipe> = try context.id("id")
        let type = try await requireReplaceable(id, request, context, in: cookbook)
        let sent = try await request.wholeBody(upTo: maximumBytes)
        return try await service.loading(sent, changing: id.rawValue) { bytes in
            guard CookbookDomain.MediaType(firstBytesOf: bytes) == type else {
                let detail = "must begin with the first bytes of \(type.rawValue)"
                throw InvalidFields([FieldError(pointer: "", detail: detail)])
            }
            return try await store(bytes, for: id, request, context)
        }
    }

    private func store(
        _ bytes: [UInt8], for id: EntityID<Recipe>, _ request: Request, _ context: CookbookContext
    ) async throws -> Response {
        let digest = SHA256.hexDigest(of: bytes)
        let (isFirst, photo) = try await service.manager.transaction { manager in
            let cookbook = service.scope(manager, context.caller)
            let old = try await cookbook.getPhoto.execute(id)
            try Preconditions(request).requireMatch(old.map { Self.tag(of: $0.entity) })
            return (old == nil, try await cookbook.putPhoto.execute(.init(recipe: id, bytes: bytes, digest: digest)))
        }
        return Response(status: isFirst ? .created : .noContent, headers: [.eTag: Self.tag(of: photo).text])
    }

    /// The checks that do not need the photo. They are repeated in the transaction that stores it.
    private func requireReplaceable(
        _ id: EntityID<Recipe>, _ request: Request, _ context: CookbookContext, in cookbook: OpenCookbook
    ) async throws -> CookbookDomain.MediaType {
        let recipe = try await cookbook.recipes.require(id).entity
        guard RecipePolicy(context.caller.permissions).mayUpdate(recipe, to: recipe) else {
            throw Problem(.forbidden, "Only the recipe's owner and admins may change its photo.")
        }
        guard let type = request.mediaType.flatMap(CookbookDomain.MediaType.init(rawValue:)) else {
            let types = MediaType.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.unsupportedMediaType, "A photo is one of \(types).", headers: [.accept: types])
        }
        try Preconditions(request).requireMatch(try await photo(of: id, in: cookbook).map(Self.tag))
        return type
    }

    /// Deletes the photo of the version that the client knows.
    private func delete(_ request: Request, _ context: CookbookContext) async throws -> Response {
        _ = try service.scope(for: context, isPrivate: true)
        let id: EntityID<Recipe> = try context.id("id")
        try await service.manager.transaction { manager in
            let cookbook = service.scope(manager, context.caller)
            guard let photo = try await cookbook.getPhoto.execute(id) else {
                throw Problem(.notFound, "The recipe has no photo.")
            }
            let tag: EntityTag = Self.tag(of: photo.entity)
            try Preconditions(request).requireMatch(tag)
            try await cookbook.deletePhoto.execute(id)
        }
        return Response(status: .noContent)
    }

    /// A digest of the bytes, because a replaced photo has a new id under the same URL.
    private static func tag(of photo: Photo) -> EntityTag {
        EntityTag(fingerprint, version: 1, others: [photo.digest])
    }
}
