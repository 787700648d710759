#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A filter, an order and a page size.
///
/// A query has the same meaning on every store. Text compares by the UTF-8 bytes of its canonical composition (NFC);
/// `nil` precedes every value; ids break ties.
///
/// Arithmetic is undefined on integer overflow and on division by zero. A comparison or membership test with an
/// undefined operand is false, so its negation is true. For the largest `x`, `x + 1 > 0` and `x + 1 <= 0` are false,
/// and `!(x + 1 > 0)` is true. A real divided by zero is not infinity.
///
/// A predicate may capture values of every column type, and collections and ranges of them. `#Predicate` requires that
/// captured values are `Codable`, so an enum that is stored as a column must be `Codable`, too.
public struct Query<E: Entity>: Sendable {
    /// The predicates that an entity must all satisfy; without any, every entity matches.
    public var predicates: [Predicate<E>]
    /// The conditions on other entities that an entity must all satisfy.
    public var related: [Related<E>]
    /// The words that an entity must all have in its searched texts; `nil` searches for none.
    ///
    /// A word matches in any case and with any diacritics. A word that ends with an asterisk, such as `choc*`, matches
    /// all words that start with it; other punctuation separates words. Entities are in descending order of their rank:
    /// the weights of the matching words, each distinct one counted once for each field. ``sort`` must be empty.
    /// A text without a word or with more than 16 distinct ones is unsupported, and so is an entity without searched
    /// texts.
    public var search: String?
    /// The sort keys, the most significant first; ids break ties.
    public var sort: [Sort<E>]
    /// The maximum number of entities in a page, at least 1; `nil` returns all in one page.
    public var limit: Int?
    /// The size in bytes after which the page ends, with the entity that exceeds it: its texts and blobs, and a constant
    /// for each value. `nil`, and a store that cannot count it, impose no limit. Transactions, live queries and deletes
    /// ignore it.
    public var byteLimit: Int?
    /// The start of the page: ``QueryPage/next`` of the previous page.
    public var after: Cursor?
    /// The end of the page, which has the last entities before it: ``QueryPage/previous`` of the next page. Live queries
    /// and streams refuse it.
    public var before: Cursor?
    /// Whether the page contains the total number of matching entities; costs the store a count.
    public var includesTotal: Bool

    /// Creates a query; without arguments, it matches every entity and orders by id.
    public init(
        _ predicate: Predicate<E>? = nil, related: [Related<E>] = [], search: String? = nil, sort: [Sort<E>] = [],
        limit: Int? = nil, after: Cursor? = nil, before: Cursor? = nil, includesTotal: Bool = false
    ) {
        (self.predicates, self.related) = (predicate.map { [$0] } ?? [], related)
        (self.search, self.sort, self.limit, self.after, self.before) = (search, sort, limit, after, before)
        self.includesTotal = includesTotal
    }

    /// A query with an additional predicate.
    public func and(_ predicate: Predicate<E>) -> Query {
        var query = self
        query.predicates.append(predicate)
        return query
    }
}
