/// An element of a change stream.
public enum ChangeEvent: Sendable, Equatable {
    /// A commit.
    case commit(CommittedChanges)
    /// Changes up to this position are no longer retained, or the store cannot know whether there were any. Everything
    /// that was read before may be stale. The stream continues after the position [event.1].
    case gap(ChangeToken)

    /// The position after the event: a stream that starts there continues without gap or repetition [event.2].
    public var token: ChangeToken {
        switch self {
        case .commit(let changes): changes.token
        case .gap(let token): token
        }
    }
}

extension AsyncSequence<ChangeEvent, Never> where Self: Sendable {
    /// The events with each commit transformed, or omitted if the result is `nil`. Gaps remain.
    func compactMapCommits(
        _ transform: @escaping @Sendable (CommittedChanges) -> CommittedChanges?
    ) -> any AsyncSequence<ChangeEvent, Never> & Sendable {
        compactMap { event in
            guard case .commit(let commit) = event else { return event }
            return transform(commit).map(ChangeEvent.commit)
        }
    }
}

/// One commit as published to observers: names and versions, no content. A change set of any size is one commit.
public struct CommittedChanges: Sendable, Equatable {
    /// The position of the commit.
    public let token: ChangeToken
    /// The id of the commit [event.3].
    public let id: CommitID
    /// The entities that were created or replaced, then updated, then deleted, each in the order of the commit
    /// [event.4]. Entities that were only read are omitted [event.5].
    public let entries: [CommittedChange]
    /// The references that were removed from all entities that had them [event.6].
    public let removals: [RemovedReference]

    /// Describes a commit; for stores.
    public init(
        token: ChangeToken, id: CommitID, entries: [CommittedChange], removals: [RemovedReference] = []
    ) {
        (self.token, self.id, self.entries, self.removals) = (token, id, entries, removals)
    }

    /// The commit with only some of its changes; `nil` if none remains.
    package func filtered(
        _ isIncluded: (CommittedChange) -> Bool, removals isRemovalIncluded: (RemovedReference) -> Bool = { _ in false }
    ) -> CommittedChanges? {
        let (entries, removals) = (entries.filter(isIncluded), removals.filter(isRemovalIncluded))
        if entries.isEmpty, removals.isEmpty { return nil }
        return CommittedChanges(token: token, id: id, entries: entries, removals: removals)
    }

    /// The number of entries and removals, at least 1: the size in a buffer or journal.
    package var size: Int { max(1, entries.count + removals.count) }
}

/// One entity of a commit.
public struct CommittedChange: Sendable, Equatable {
    /// The kind of change.
    public enum Kind: String, Sendable, CaseIterable {
        /// The entity is new.
        case inserted
        /// The entity, or an object that it owns, changed, or the entity was replaced [event.7].
        case updated
        /// The entity no longer exists.
        case deleted
    }

    /// The entity.
    public let reference: EntityReference
    /// The kind of change.
    public let kind: Kind
    /// The entity's version after the commit, or the version at which it was deleted [event.8].
    public let version: Int64
    /// The entity's owner, if its mapping declares one [event.9]. Readers of changes use it for access control.
    public let owner: RawID?

    /// Describes a change; for stores.
    public init(_ reference: EntityReference, kind: Kind, version: Int64, owner: RawID? = nil) {
        (self.reference, self.kind, self.version, self.owner) = (reference, kind, version, owner)
    }

    /// The typed id of the entity; `nil` if it is of another type.
    public func id<E: Entity>(of type: E.Type) -> EntityID<E>? {
        reference.entity == E.entityName ? EntityID(reference.id) : nil
    }
}

/// The removal of all references to a deleted entity through one property: one element for any number of entities.
///
/// The entities that had the reference are not named [event.10]. A follower with a copy of them removes the reference
/// from each, and increments the version of each that had it and is not in the same commit.
public struct RemovedReference: Sendable, Equatable {
    /// The name of the entities that had the reference, themselves or in an object that they own.
    public let entity: String
    /// The names of the owned lists from the entity to the referring object, and of the referring column or list.
    public let path: [String]
    /// The entity to which no reference remains.
    public let target: EntityReference

    /// Describes a removal; for stores.
    public init(from entity: String, path: [String], to target: EntityReference) {
        (self.entity, self.path, self.target) = (entity, path, target)
    }
}
