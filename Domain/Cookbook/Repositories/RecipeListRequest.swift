public import LarderDomain

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A filter, an order, and a page of recipes.
public struct RecipeListRequest: Sendable {
    /// The conditions.
    public var filter: RecipeFilter
    /// The words that recipes must have in the name, the ingredients and the steps, as in ``Query/search``.
    public var search: String?
    /// Further conditions, which must all be satisfied.
    public var predicates: [Predicate<Recipe>]
    /// The order, unless there is a search, which orders by rank.
    public var sort: RecipeSort
    /// The page size; `nil` for one page with all.
    public var limit: Int?
    /// The size in bytes after which the page ends; see ``Query/byteLimit``.
    public var byteLimit: Int?
    /// The start of the page: the ``QueryPage/next`` of the preceding page, with the same filter and order.
    public var after: Cursor?
    /// The end of the page, instead of its start: the ``QueryPage/previous`` of the page after it.
    public var before: Cursor?
    /// Whether the page includes the total number of recipes.
    public var includesTotal: Bool

    /// Makes a request; by default, for all recipes by name.
    public init(
        _ filter: RecipeFilter = RecipeFilter(), search: String? = nil, predicates: [Predicate<Recipe>] = [],
        sort: RecipeSort = .name, limit: Int? = nil, byteLimit: Int? = nil, after: Cursor? = nil,
        before: Cursor? = nil, includesTotal: Bool = false
    ) {
        self.filter = filter
        self.search = search
        self.predicates = predicates
        self.sort = sort
        self.limit = limit
        self.byteLimit = byteLimit
        self.after = after
        self.before = before
        self.includesTotal = includesTotal
    }
}

/// The conditions that recipes must satisfy; `nil` means no condition.
public struct RecipeFilter: Sendable, Equatable {
    /// At least one of these tags; an empty list matches no recipe.
    public var anyOfTags: [EntityID<Tag>]?
    /// A known total time of less than this number of minutes.
    public var underMinutes: Int?
    /// A name that contains this text, in any case and with any diacritics.
    public var nameContains: String?
    /// This owner.
    public var ownedBy: EntityID<User>?

    /// Makes a filter; by default, one that every recipe satisfies.
    public init(
        anyOfTags: [EntityID<Tag>]? = nil, underMinutes: Int? = nil, nameContains: String? = nil,
        ownedBy: EntityID<User>? = nil
    ) {
        self.anyOfTags = anyOfTags
        self.underMinutes = underMinutes
        self.nameContains = nameContains
        self.ownedBy = ownedBy
    }
}

/// An order of recipes.
public enum RecipeSort: String, Sendable, CaseIterable {
    /// By name, ignoring case and diacritics.
    case name
    /// By total time, the shortest first; unknown times precede all others.
    case time
    /// By rating, the best first.
    case rating
    /// By day of publication, the latest first; unknown days follow all others.
    case published
    /// By id, which is the order of creation unless the clock was set back.
    case stored
}
