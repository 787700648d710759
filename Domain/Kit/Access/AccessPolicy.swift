#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The permissions of one caller on the entities of one type. Defined in the domain, created for each caller.
///
/// ``visible`` and ``mayRead(_:)`` must agree on every entity. ``visible`` is added to queries, so that pages stay
/// full; ``mayRead(_:)`` checks reads by id.
public protocol AccessPolicy<Model>: Sendable {
    /// The entity type.
    associatedtype Model: Entity

    /// The predicates that an entity must all satisfy to be visible to the caller.
    var visible: [Predicate<Model>] { get }
    /// Whether the caller may see an entity. An invisible entity is treated as not stored.
    func mayRead(_ entity: Model) -> Bool
    /// Whether the caller may create any entity at all. It is asked before an entity is known, for example before the
    /// body of a request is read: `false` if ``mayCreate(_:)`` refuses every entity. By default `true`.
    var mayCreateSome: Bool { get }
    /// Whether the caller may update any entity at all, as ``mayCreateSome``. By default `true`.
    var mayUpdateSome: Bool { get }
    /// Whether the caller may create an entity.
    func mayCreate(_ entity: Model) -> Bool
    /// Whether the caller may replace a visible entity with a new value.
    func mayUpdate(_ old: Model, to new: Model) -> Bool
    /// Whether the caller may delete a visible entity.
    func mayDelete(_ entity: Model) -> Bool
    /// Whether the caller may learn that an entity changed. A change names the entity and its owner; it has no content,
    /// also because a deleted entity cannot be read. By default `false`.
    func mayFollow(_ change: CommittedChange) -> Bool
    /// Whether the caller may learn that entities changed that are not named: a reference was removed from them, or they
    /// were updated by query. By default `false`.
    var mayFollowRemovals: Bool { get }
    /// The predicates that a visible entity must all satisfy so that the caller may update it by query, in any way: no
    /// new value is judged. `nil`, the default, forbids such updates.
    var updatableByQuery: [Predicate<Model>]? { get }
}

extension AccessPolicy {
    public var mayCreateSome: Bool { true }
    public var mayUpdateSome: Bool { true }
    public func mayFollow(_ change: CommittedChange) -> Bool { false }
    public var mayFollowRemovals: Bool { false }
    public var updatableByQuery: [Predicate<Model>]? { nil }
}

/// The policies of one caller by entity type. A type without a policy is forbidden.
public struct PolicySet: Sendable {
    private let all: [any AccessPolicy]
    private let policies: [ObjectIdentifier: any Sendable]

    /// Combines policies, one for each type; of two policies for a type, the last applies.
    public init(_ policies: [any AccessPolicy]) {
        func entry<Policy: AccessPolicy>(_ policy: Policy) -> (ObjectIdentifier, any Sendable) {
            (ObjectIdentifier(Policy.Model.self), Box<Policy.Model>(policy: policy))
        }
        all = policies
        self.policies = Dictionary(policies.map { entry($0) }) { $1 }
    }

    /// Selects the changes of a commit that the caller may follow; `nil` if there are none.
    ///
    /// Made for a stream of changes, because the names of the entities take longer to make than all policies.
    public var following: @Sendable (CommittedChanges) -> CommittedChanges? {
        func name<Policy: AccessPolicy>(_ policy: Policy) -> String { Policy.Model.entityName }
        let byEntity = Dictionary(all.map { (name($0), $0) }) { $1 }
        return { commit in
            commit.filtered {
                byEntity[$0.reference.entity]?.mayFollow($0) ?? false
            } stale: {
                byEntity[$0]?.mayFollowRemovals ?? false
            }?.withoutCount
        }
    }

    /// The changes of one commit that the caller may follow; `nil` if there are none.
    public func followed(_ commit: CommittedChanges) -> CommittedChanges? { following(commit) }

    func policy<E: Entity>(for type: E.Type) throws(PersistencyError) -> any AccessPolicy<E> {
        guard let box = policies[ObjectIdentifier(type)] as? Box<E> else {
            throw .forbidden(Forbidden(.using, E.entityName))
        }
        return box.policy
    }

    /// Type-erased lookup: a cast to `Box<E>` compares two types; a cast to the policy's type looks up conformances.
    private struct Box<E: Entity>: Sendable {
        let policy: any AccessPolicy<E>
    }
}
