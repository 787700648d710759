/// What a query found: a keyset page, which neither repeats nor skips an entity that nobody moved meanwhile.
public struct Page<E: Entity>: Sendable {
    /// The entities, in the query's order.
    public let items: [Stored<E>]
    /// Where the next page begins; `nil` when this is the last.
    public let next: Cursor?
    /// How many entities match in all, from the snapshot that the items are from; `nil` unless asked for.
    public let total: Int?

    /// Makes a page; for the managers.
    public init(items: [Stored<E>], next: Cursor? = nil, total: Int? = nil) {
        (self.items, self.next, self.total) = (items, next, total)
    }

    /// The entities without their versions.
    public var entities: [E] { items.map(\.entity) }
}

/// The place where a page ended: opaque, and valid for the query that made it and no other.
///
/// It holds the values that the query sorts by. If they are too long, it holds the id of the page's last entity, whose
/// values are then read again; such a cursor is no longer valid when that entity is deleted or leaves the list.
public struct Cursor: Hashable, Sendable {
    /// The most bytes of ``rawValue``.
    public static let maximumLength = 1_536

    /// URL-safe text of ASCII.
    public let rawValue: String

    /// Takes a text that came from ``rawValue``; whether it is one, the query that uses it finds out.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
