import Hummingbird
import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import Logging

/// An entity with sealed columns.
struct Secret: Entity {
    let id: EntityID<Secret>
    let name: String
    let text: String
}

enum SecretMapper: EntityMapper {
    static let mapping = Mapping<Secret>(
        "secret", id: \.id,
        [.column("name", \.name, sealed: .equality).unique, .column("text", \.text, sealed: .content)])

    static func entity(from row: inout ObjectReader) throws -> Secret {
        try Secret(id: row.id(), name: row.next(), text: row.next())
    }
}

struct Secrets: EntityRepository {
    typealias Model = Secret
    let manager: any PersistencyManager
}

enum SecretResource: Resource {
    static let name = "secrets"
    static let members: [ResourceMember] = [
        .id, .init("name", .text(80), .required), .init("text", .text(1_000_000), .required), .createdAt,
    ]
    static let fingerprint = SchemaFingerprint(SecretMapper.mapping.schema, members: members)
    static let isPrivate = true
    static let largestBody = 2 << 20

    static func repository(in secrets: Secrets) -> any EntityRepository<Secret> { secrets }
    static func filter(from parameters: inout QueryParameters) throws -> Query<Secret> { Query() }
    static func represent(_ items: [Stored<Secret>], in secrets: Secrets) -> [Representation] {
        items.map { secret in
            Representation(
                json: .object([
                    .init("id", .string("\(secret.id)")), .init("name", .string(secret.name)),
                    .init("text", .string(secret.text)),
                ]))
        }
    }
    static func entity(
        from fields: inout JSONFields, replacing old: Secret?, in secrets: Secrets
    ) throws(InvalidFields) -> Secret {
        let (name, text) = try fields.check(fields.requiredString("name"), fields.requiredString("text"))
        return Secret(id: old?.id ?? EntityID(UUIDv7Generator().next()), name: name, text: text)
    }
}

/// An operator with any token.
struct Keeper: ServiceCaller {
    let key: String
    var operatorPermissions: Set<OperatorPermission> { .all }
}

struct AnyToken: Authenticator {
    func caller(with token: String, logger: Logger) -> Keeper? { Keeper(key: token) }
}

struct SecretsAPI: ServiceAPI {
    static let mappers: [any EntityMapper.Type] = [SecretMapper.self, StoredResponseMapper.self]
    let identity = ServiceIdentity(name: "secrets", title: "Secrets")
    let service: ResourceService<Keeper, Secrets>

    init(_ manager: any PersistencyManager) {
        service = ResourceService(
            manager: manager, authenticator: AnyToken(), readingIsOpen: false, limits: ServerLimits(),
            responses: ResponseKeeper()
        ) { manager, _ in Secrets(manager: manager) }
    }

    func addRoutes(to group: RouterGroup<CallerContext<Keeper>>, _ parts: ServiceParts) {
        service.add([SecretResource.self], to: group)
    }

    func pages() throws -> ServicePages {
        try ServicePages(identity) { assets in
            try APIDocument(identity, resources: [SecretResource.self], followsChanges: false, assets: assets)
        }
    }
}
