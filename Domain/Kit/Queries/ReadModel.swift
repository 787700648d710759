/// A struct of some values of an entity, and of the sizes and sums of its lists. A query reads it instead of the entity.
public protocol ReadModel: Sendable {
    /// The entity.
    associatedtype Source: Entity
}

/// A keyset page of read models; see ``QueryPage``.
public struct ReadModelPage<Model: ReadModel>: Sendable {
    /// The read models, in the query's order.
    public let items: [Model]
    /// The start of the next page; `nil` for the last page.
    public let next: Cursor?
    /// The end of the previous page; see ``QueryPage/previous``.
    public let previous: Cursor?
    /// The total number of matching entities in the same snapshot as the items; `nil` unless requested.
    public let total: Int?

    /// Creates a page; for managers.
    public init(items: [Model], previous: Cursor? = nil, next: Cursor? = nil, total: Int? = nil) {
        (self.items, self.previous, self.next, self.total) = (items, previous, next, total)
    }
}
