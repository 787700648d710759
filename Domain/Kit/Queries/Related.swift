/// A condition on other entities, to which those of a query refer or which refer to them: a semi-join.
///
/// ```swift
/// // Loans of blocked members, and books without an open loan.
/// Query<Loan>(related: [.to(\.member, Query(#Predicate { $0.isBlocked }))])
/// Query<Book>(related: [.not(.from(\Loan.book, Query(#Predicate { $0.returned == nil })))])
/// ```
///
/// The query of the other entities may have such conditions, too. Its limit, cursor and search are unsupported; its order
/// has no effect. Through a guarded manager, only entities that the caller may see count as stored. The commit of a
/// transaction does not check the other entities [related.7].
public struct Related<E: Entity>: Sendable {
    package var other: any RelatedQuery
    package private(set) var isNegated = false

    /// The reference is to an entity of the query [related.1].
    public static func to<T: Entity>(
        _ reference: any KeyPath<E, EntityID<T>> & Sendable, _ query: Query<T>
    ) -> Related { outgoing(reference, query) }

    /// The reference is to an entity of the query; false for `nil` [related.2].
    public static func to<T: Entity>(
        _ reference: any KeyPath<E, EntityID<T>?> & Sendable, _ query: Query<T>
    ) -> Related { outgoing(reference, query) }

    /// A link is to an entity of the query [related.3].
    public static func to<T: Entity>(
        _ links: any KeyPath<E, [EntityID<T>]> & Sendable, _ query: Query<T>
    ) -> Related { outgoing(links, query) }

    /// An entity of the query refers to this one [related.4].
    public static func from<S: Entity>(
        _ reference: any KeyPath<S, EntityID<E>> & Sendable, _ query: Query<S> = Query()
    ) -> Related { incoming(reference, query) }

    /// An entity of the query refers to this one.
    public static func from<S: Entity>(
        _ reference: any KeyPath<S, EntityID<E>?> & Sendable, _ query: Query<S> = Query()
    ) -> Related { incoming(reference, query) }

    /// An entity of the query has a link to this one [related.5].
    public static func from<S: Entity>(
        _ links: any KeyPath<S, [EntityID<E>]> & Sendable, _ query: Query<S> = Query()
    ) -> Related { incoming(links, query) }

    /// The negation, which is true for a reference that is `nil` [related.6].
    public static func not(_ related: Related) -> Related {
        var negation = related
        negation.isNegated.toggle()
        return negation
    }

    private static func outgoing<T: Entity>(_ path: any AnyKeyPath & Sendable, _ query: Query<T>) -> Related {
        Related(other: RelatedEntities(path: path, isIncoming: false, query: query))
    }

    private static func incoming<S: Entity>(_ path: any AnyKeyPath & Sendable, _ query: Query<S>) -> Related {
        Related(other: RelatedEntities(path: path, isIncoming: true, query: query))
    }
}

/// The other entities of a condition, whose type the condition does not show.
package protocol RelatedQuery: Sendable {
    associatedtype Other: Entity

    /// The property with the reference or links: of the other entity if it is incoming.
    var path: any AnyKeyPath & Sendable { get }
    var isIncoming: Bool { get }
    var query: Query<Other> { get set }
}

private struct RelatedEntities<Other: Entity>: RelatedQuery {
    let path: any AnyKeyPath & Sendable
    let isIncoming: Bool
    var query: Query<Other>
}
