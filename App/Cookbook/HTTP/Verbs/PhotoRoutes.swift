internal import CookbookData
internal import CookbookDomain
internal import Crypto
internal import HTTPTypes
internal import Hummingbird
internal import LarderApp
internal import LarderData
internal import LarderDomain
internal import NIOCore

/// The photo of a recipe.
struct PhotoRoutes: Sendable {
    private static let fingerprint = SchemaFingerprint(PhotoMapper.mapping.schema)

    let service: CookbookService

    func add(to router: RouterGroup<CookbookContext>) {
        router.get("recipes/{id}/photo", use: read)
        router.put("recipes/{id}/photo", use: put)
        router.delete("recipes/{id}/photo", use: delete)
    }

    private func read(_ request: Request, _ context: CookbookContext) async throws -> Response {
        let cookbook = try service.cookbook(for: context, isPrivate: false)
        guard let photo = try await cookbook.getPhoto.execute(try context.id("id")) else {
            throw Problem(.notFound, "The recipe has no photo.")
        }
        let tag = Self.tag(of: photo.entity)
        guard !Preconditions(request).isKnown(tag) else { return .notModified(tag) }
        return Response(
            status: .ok,
            headers: [
                .contentType: photo.mediaType.rawValue, .eTag: tag.text, .cacheControl: "private, no-cache",
                .vary: "Authorization",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: photo.bytes)))
    }

    /// Takes a photo in the place of the one that the client knows; the first one where there is none.
    private func put(_ request: Request, _ context: CookbookContext) async throws -> Response {
        _ = try service.cookbook(for: context, isPrivate: true)
        let id: EntityID<Recipe> = try context.id("id")
        guard let type = request.mediaType.flatMap(MediaType.init(rawValue:)) else {
            let types = MediaType.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.unsupportedMediaType, "A photo is one of \(types).", headers: [.accept: types])
        }
        let bytes = try await request.bytes(upTo: service.limits.photoBytes)
        guard MediaType(firstBytesOf: bytes) == type else {
            throw InvalidFields([FieldError(pointer: "", detail: "must begin with the first bytes of \(type.rawValue)")]
            )
        }
        let digest = bytes.sha256.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let (isFirst, photo) = try await service.manager.transaction { manager in
            let cookbook = service.openCookbook(manager, context.caller, context.user)
            let old = try await cookbook.getPhoto.execute(id)
            try Preconditions(request).requireMatch(old.map { Self.tag(of: $0.entity) })
            return (old == nil, try await cookbook.putPhoto.execute(.init(recipe: id, bytes: bytes, digest: digest)))
        }
        return Response(status: isFirst ? .created : .noContent, headers: [.eTag: Self.tag(of: photo).text])
    }

    /// Deletes the photo that the client knows.
    private func delete(_ request: Request, _ context: CookbookContext) async throws -> Response {
        _ = try service.cookbook(for: context, isPrivate: true)
        let id: EntityID<Recipe> = try context.id("id")
        try await service.manager.transaction { manager in
            let cookbook = service.openCookbook(manager, context.caller, context.user)
            guard let photo = try await cookbook.getPhoto.execute(id) else {
                throw Problem(.notFound, "The recipe has no photo.")
            }
            let tag: EntityTag = Self.tag(of: photo.entity)
            try Preconditions(request).requireMatch(tag)
            try await cookbook.deletePhoto.execute(id)
        }
        return Response(status: .noContent)
    }

    /// A photo never changes under its id, and its id under an address: its bytes tell it from another.
    private static func tag(of photo: Photo) -> EntityTag {
        EntityTag(fingerprint, version: 1, others: [photo.digest])
    }
}
