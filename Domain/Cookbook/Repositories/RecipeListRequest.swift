public import LarderDomain

/// Which recipes, in which order, how many.
public struct RecipeListRequest: Sendable {
    /// What a recipe must satisfy.
    public var filter: RecipeFilter
    /// The order.
    public var sort: RecipeSort
    /// The most recipes of a page; `nil` means all in one page.
    public var limit: Int?
    /// Where the page begins: the ``QueryPage/next`` of the page before, of the same filter and order.
    public var after: Cursor?
    /// Whether the page says how many recipes there are in all.
    public var includesTotal: Bool

    /// Makes a request; without arguments, for every recipe by name.
    public init(
        _ filter: RecipeFilter = RecipeFilter(), sort: RecipeSort = .name, limit: Int? = nil, after: Cursor? = nil,
        includesTotal: Bool = false
    ) {
        self.filter = filter
        self.sort = sort
        self.limit = limit
        self.after = after
        self.includesTotal = includesTotal
    }
}

/// What recipes must satisfy; whatever is `nil` asks nothing.
public struct RecipeFilter: Sendable, Equatable {
    /// They have at least one of these tags; an empty list lets none through.
    public var anyOfTags: [EntityID<Tag>]?
    /// They are known to take less than so many minutes in all.
    public var underMinutes: Int?
    /// Their name contains this text, in any case.
    public var nameContains: String?
    /// They are this user's.
    public var ownedBy: EntityID<User>?

    /// Makes a filter; without arguments, one that lets everything through.
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
    /// By name, without regard to case.
    case name
    /// The shortest first, those of unknown time before all.
    case time
    /// The best first.
    case rating
    /// The last published first, those of unknown day after all.
    case published
    /// In the order of ids, which is the order of creation, unless the clock was set back meanwhile.
    case stored
}
