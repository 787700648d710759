internal import CookbookDomain
internal import Hummingbird
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP

/// One kind of entity over HTTP: how it is shown, how it is read from a body, and how it is asked for.
///
/// Whatever `GET` shows can be sent back with `PUT`: members that nobody may set are ignored.
protocol Resource: Sendable {
    associatedtype Model: Entity
    /// What a list may be asked for.
    associatedtype Filter: Sendable

    /// The collection's place under `/v1`, in the plural.
    static var name: String { get }
    /// The names of the members of its representation; those of nested objects follow the name of their list: `steps.text`.
    static var members: [String] { get }
    /// The fingerprint of the schema and of ``members``, for entity tags.
    static var fingerprint: SchemaFingerprint { get }
    /// Whether only somebody who is known may ask at all.
    static var isPrivate: Bool { get }

    /// The most bytes of a body that `GET` shows and `PUT` must take, where that is more than most bodies may have.
    static var largestBody: Int { get }

    /// The repository that keeps the entities.
    static func repository(in cookbook: OpenCookbook) -> any EntityRepository<Model>

    /// Takes the filter's parameters.
    static func filter(from parameters: inout QueryParameters) throws -> Filter

    /// One page of the entities that a filter lets through.
    static func page(_ filter: Filter, _ page: PageParameters, in cookbook: OpenCookbook) async throws -> Page<Model>

    /// The entities as they are shown, in their order.
    static func represent(_ items: [Stored<Model>], in cookbook: OpenCookbook) async throws -> [Representation]

    /// The entity that a body describes.
    ///
    /// - Parameter old: What it replaces; `nil` for a new one.
    /// - Throws: `InvalidFields` naming everything that is wrong.
    static func entity(
        from fields: inout JSONFields, replacing old: Model?, in cookbook: OpenCookbook
    ) throws(InvalidFields) -> Model
}

extension Resource {
    /// No more than most bodies.
    static var largestBody: Int { 0 }
}

extension Resource where Filter == Query<Model> {
    static func page(
        _ filter: Query<Model>, _ page: PageParameters, in cookbook: OpenCookbook
    ) async throws -> Page<Model> {
        var query = filter
        query.limit = page.limit
        query.after = page.after
        query.includesTotal = page.includesTotal
        return try await repository(in: cookbook).read(query)
    }
}

/// An entity as it is shown.
struct Representation: Sendable {
    /// The ids and versions of other aggregates that it shows.
    let others: [String]
    private let makeJSON: @Sendable () -> JSON

    /// Made each time that it is asked for; a client that has it already needs none.
    var json: JSON { makeJSON() }

    init(json: @autoclosure @escaping @Sendable () -> JSON, others: [String] = []) {
        (makeJSON, self.others) = (json, others)
    }
}

extension JSON.Member {
    /// When an entity was created, as its id states.
    static func createdAt<E: Entity>(_ id: EntityID<E>) -> JSON.Member {
        .init("createdAt", id.rawValue.creationTime.map { .string($0.description) } ?? .null)
    }
}

/// Which page of a list.
struct PageParameters: Sendable {
    /// The most items; fewer where a page of so many was found to be too large.
    var limit: Int
    let after: Cursor?
    let includesTotal: Bool

    init(_ parameters: inout QueryParameters) throws {
        limit = try parameters.integer("limit", in: 1...200) ?? 50
        after = parameters.text("after").map(Cursor.init(rawValue:))
        includesTotal = try parameters.flag("total")
    }
}

/// Any repository of the same entity. A function, because the compiler does not convert one existential to the other.
func erased<Repository: EntityRepository>(_ repository: Repository) -> any EntityRepository<Repository.Model> {
    repository
}
