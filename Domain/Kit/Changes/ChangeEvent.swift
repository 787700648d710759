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
    /// The update of all entities of a query, which are not named.
    public let bulk: CommittedBulkUpdate?

    /// Describes a commit; for stores.
    public init(
        token: ChangeToken, id: CommitID, entries: [CommittedChange], removals: [RemovedReference] = [],
        bulk: CommittedBulkUpdate? = nil
    ) {
        (self.token, self.id, self.entries, self.removals, self.bulk) = (token, id, entries, removals, bulk)
    }

    /// The names of the entities of which the commit has changed some without naming them: a follower reads them again.
    public var staleEntities: Set<String> { Set(removals.map(\.entity) + (bulk.map { [$0.entity] } ?? [])) }

    /// The commit with only some of its changes; `nil` if none remains.
    ///
    /// - Parameter isStaleIncluded: Whether changes of entities with a name are included that are not named one by one.
    package func filtered(
        _ isIncluded: (CommittedChange) -> Bool, stale isStaleIncluded: (String) -> Bool = { _ in false }
    ) -> CommittedChanges? {
        let (entries, removals) = (entries.filter(isIncluded), removals.filter { isStaleIncluded($0.entity) })
        let bulk = bulk.flatMap { isStaleIncluded($0.entity) ? $0 : nil }
        if entries.isEmpty, removals.isEmpty, bulk == nil { return nil }
        return CommittedChanges(token: token, id: id, entries: entries, removals: removals, bulk: bulk)
    }

    /// The commit without the number of entities that a bulk update has changed.
    var withoutCount: CommittedChanges {
        guard let bulk else { return self }
        return CommittedChanges(
            token: token, id: id, entries: entries, removals: removals,
            bulk: CommittedBulkUpdate(of: bulk.entity, count: nil))
    }

    /// The number of entries, removals and bulk updates, at least 1: the size in a buffer or journal.
    package var size: Int { max(1, entries.count + removals.count + (bulk == nil ? 0 : 1)) }
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
