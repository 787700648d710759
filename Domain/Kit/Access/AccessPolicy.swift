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
    private let policies: [ObjectIdentifier: any Sendable]

    /// Joins policies, one for each type.
    public init(_ policies: [any AccessPolicy]) {
        func entry<Policy: AccessPolicy>(_ policy: Policy) -> (ObjectIdentifier, any Sendable) {
            (ObjectIdentifier(Policy.Model.self), Box<Policy.Model>(policy: policy))
        }
        self.policies = Dictionary(policies.map { entry($0) }) { $1 }
    }

    func policy<E: Entity>(for type: E.Type) throws(PersistencyError) -> any AccessPolicy<E> {
        guard let box = policies[ObjectIdentifier(type)] as? Box<E> else {
            throw .forbidden(Forbidden(.using, E.entityName))
        }
        return box.policy
    }

    /// A cast to it compares two types; one to the policy's own type looks up conformances, at every read.
    private struct Box<E: Entity>: Sendable {
        let policy: any AccessPolicy<E>
    }
}
