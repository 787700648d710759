public import LarderApp
public import LarderDomain

/// The representation of an entity in responses.
public struct Representation: Sendable {
    /// The ids and versions of other aggregates that the representation includes.
    public let others: [String]
    private let makeJSON: @Sendable () -> JSON

    /// Computed at each access, because a response of 304 needs none.
    public var json: JSON { makeJSON() }

    /// - Parameters:
    ///   - json: The members.
    ///   - others: The id and version of each other aggregate that is included: `"\(id) \(version)"`.
    public init(json: @autoclosure @escaping @Sendable () -> JSON, others: [String] = []) {
        (makeJSON, self.others) = (json, others)
    }
}

extension JSON.Member {
    /// The creation time of an entity, which its id states.
    public static func createdAt<E: Entity>(_ id: EntityID<E>) -> JSON.Member {
        .init("createdAt", id.rawValue.creationTime.map { .string($0.description) } ?? .null)
    }
}
