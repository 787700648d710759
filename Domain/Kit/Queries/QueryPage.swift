/// A keyset page of a query. Paging neither repeats nor skips an entity whose sort values do not change meanwhile.
public struct QueryPage<E: Entity>: Sendable, Equatable {
    /// The entities, in the query's order.
    public let items: [Stored<E>]
    /// The start of the next page, for ``Query/after``; `nil` for the last page.
    public let next: Cursor?
    /// The end of the previous page, for ``Query/before``; `nil` for the first page, for searches, and for sort keys that
    /// are too long for a cursor. The previous page may be empty.
    public let previous: Cursor?
    /// The total number of matching entities in the same snapshot as the items; `nil` unless requested.
    public let total: Int?

    /// Creates a page; for managers.
    public init(items: [Stored<E>], previous: Cursor? = nil, next: Cursor? = nil, total: Int? = nil) {
        (self.items, self.previous, self.next, self.total) = (items, previous, next, total)
    }

    /// The entities without their versions.
    public var entities: [E] { items.map(\.entity) }
}

/// The start or end of a page: opaque, and valid only for the query that created it.
///
/// Contains the values of the query's sort keys. If they are too long, contains the id of the page's last entity, whose
/// values are read again; such a cursor becomes invalid when that entity is deleted or no longer matches.
public struct Cursor: Hashable, Sendable {
    /// The maximum length of ``rawValue`` in bytes.
    public static let maximumLength = 1_536

    /// URL-safe ASCII text.
    public let rawValue: String

    /// Wraps a ``rawValue`` without validation; the query that uses the cursor validates it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
