#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What one caller may do with the entities of one type: a small type of the domain, made for the caller.
///
/// ``visible`` and ``mayRead(_:)`` must agree on every entity: the one makes lists, whose pages stay full because it
/// joins the query; the other judges what is asked for by id.
public protocol AccessPolicy<Model>: Sendable {
    /// The type of entity that it is about.
    associatedtype Model: Entity

    /// What an entity must satisfy for the caller to see it: all of these.
    var visible: [Predicate<Model>] { get }
    /// Whether the caller may see an entity. What may not be seen is not there for the caller.
    func mayRead(_ entity: Model) -> Bool
    /// Whether the caller may store a new entity.
    func mayCreate(_ entity: Model) -> Bool
    /// Whether the caller may replace an entity, which the caller may see, by another.
    func mayUpdate(_ old: Model, to new: Model) -> Bool
    /// Whether the caller may delete an entity, which the caller may see.
    func mayDelete(_ entity: Model) -> Bool
}

/// The policies of one caller, found by entity type. A type without a policy is closed to the caller.
public struct PolicySet: Sendable {
    private let policies: [ObjectIdentifier: any AccessPolicy]

    /// Joins policies, one for each type.
    public init(_ policies: [any AccessPolicy]) {
        func key<Policy: AccessPolicy>(_ policy: Policy) -> ObjectIdentifier { ObjectIdentifier(Policy.Model.self) }
        self.policies = Dictionary(policies.map { (key($0), $0) }) { $1 }
    }

    func policy<E: Entity>(for type: E.Type) throws(PersistencyError) -> any AccessPolicy<E> {
        guard let policy = policies[ObjectIdentifier(type)] as? any AccessPolicy<E> else {
            throw .forbidden(Forbidden(.using, E.entityName))
        }
        return policy
    }
}
