#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Which entities, in which order, how many.
///
/// A query means the same on every store. Text compares by the UTF-8 bytes of its canonical composition (NFC); `nil`
/// comes before every value; entities that the sort leaves equal are ordered by id.
///
/// Arithmetic has no result where an integer overflows, and where a number is divided by zero. A comparison or a
/// membership with such an operand is false; its negation is therefore true. For the largest `x`, `x + 1 > 0` and
/// `x + 1 <= 0` are false, and `!(x + 1 > 0)` is true. A real divided by zero is not infinity.
///
/// A predicate may capture values of every type that a column can have, collections and ranges of them. `#Predicate`
/// requires that captured values are `Codable`: an enum that is stored as a column must be `Codable`, too.
public struct Query<E: Entity>: Sendable {
    /// What an entity must satisfy: all of these; without any, every entity is asked for.
    public var predicates: [Predicate<E>]
    /// The order, the most significant first; ids break ties.
    public var sort: [Sort<E>]
    /// The most entities that a page may have, at least 1; `nil` means all of them in one page.
    public var limit: Int?
    /// Where the page begins: the ``Page/next`` of the page before.
    public var after: Cursor?
    /// Whether the page says how many entities match in all; costs the store a count.
    public var includesTotal: Bool

    /// Makes a query; without arguments, for every entity in the order of ids.
    public init(
        _ predicate: Predicate<E>? = nil, sort: [Sort<E>] = [], limit: Int? = nil, after: Cursor? = nil,
        includesTotal: Bool = false
    ) {
        self.predicates = predicate.map { [$0] } ?? []
        (self.sort, self.limit, self.after) = (sort, limit, after)
        self.includesTotal = includesTotal
    }

    /// The same query for fewer entities: those that satisfy this predicate too.
    public func and(_ predicate: Predicate<E>) -> Query {
        var query = self
        query.predicates.append(predicate)
        return query
    }
}
