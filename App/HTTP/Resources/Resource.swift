public import LarderApp
public import LarderDomain

/// One kind of entity over HTTP: its representation, its fields in a body, and its list.
///
/// A client can send back with `PUT` any representation that `GET` returned: members that cannot be set are ignored.
public protocol Resource<Scope>: Sendable {
    /// The entity.
    associatedtype Model: Entity
    /// The repositories and use cases of one caller.
    associatedtype Scope: Sendable
    /// The filter of a list.
    associatedtype Filter: Sendable

    /// The name of the collection in paths below `/v1`, in the plural.
    static var name: String { get }
    /// The operations that have a route. Leave out an operation that only a use case may perform.
    static var verbs: Set<ResourceVerb> { get }
    /// The name of the representation's schema in the OpenAPI document: `Loan`.
    static var kind: String { get }
    /// The members of a representation.
    static var members: [ResourceMember] { get }
    /// The fingerprint of the schema and of ``members``, for entity tags.
    static var fingerprint: SchemaFingerprint { get }
    /// Whether the JSON of representations is kept in memory: each must then depend on nothing but its entity and the
    /// ``Representation/others``, in particular not on the caller. By default `false`.
    static var keepsRepresentations: Bool { get }
    /// Whether anonymous callers are refused even if reading is open.
    static var isPrivate: Bool { get }

    /// The maximum size of a body in bytes, if that is more than ``ServerLimits/jsonBodyBytes``.
    static var largestBody: Int { get }

    /// The repository of the entities.
    static func repository(in scope: Scope) -> any EntityRepository<Model>

    /// Takes the filter's parameters.
    static func filter(from parameters: inout QueryParameters) throws -> Filter

    /// One page of the entities that satisfy a filter.
    static func page(_ filter: Filter, _ page: PageParameters, in scope: Scope) async throws -> QueryPage<Model>

    /// The representations of entities, in the same order.
    static func represent(_ items: [Stored<Model>], in scope: Scope) async throws -> [Representation]

    /// The entity that a body describes.
    ///
    /// - Parameters:
    ///   - fields: The members of the body.
    ///   - old: The entity that it replaces; `nil` for a new one.
    ///   - scope: The repositories and use cases of the caller.
    /// - Throws: `InvalidFields` naming each invalid field.
    static func entity(
        from fields: inout JSONFields, replacing old: Model?, in scope: Scope
    ) throws(InvalidFields) -> Model
}

/// An operation on a resource, and its method and path below the collection.
public enum ResourceVerb: CaseIterable, Sendable {
    /// `GET /`
    case list
    /// `POST /`
    case create
    /// `GET /{id}`
    case read
    /// `PUT /{id}`
    case replace
    /// `PATCH /{id}`
    case patch
    /// `DELETE /{id}`
    case delete
}

extension Resource {
    /// The name of the entity's type.
    public static var kind: String { "\(Model.self)" }

    public static var verbs: Set<ResourceVerb> { Set(ResourceVerb.allCases) }

    public static var largestBody: Int { 0 }

    public static var keepsRepresentations: Bool { false }
}

extension Resource where Filter == Query<Model> {
    /// The page of the query, with the limits and the position of the request.
    public static func page(
        _ filter: Query<Model>, _ page: PageParameters, in scope: Scope
    ) async throws -> QueryPage<Model> {
        var query = filter
        query.limit = page.limit
        query.byteLimit = page.byteLimit
        (query.after, query.before) = (page.after, page.before)
        query.includesTotal = page.includesTotal
        return try await repository(in: scope).read(query)
    }
}

extension EntityRepository {
    /// Any repository of the same entity, because the compiler does not convert one existential to the other.
    public var erased: any EntityRepository<Model> { self }
}

/// Any repository of the same entity.
@available(*, deprecated, message: "Use the property 'erased' of the repository.")
public func erased<Repository: EntityRepository>(
    _ repository: Repository
) -> any EntityRepository<Repository.Model> {
    repository
}
