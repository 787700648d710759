public import LarderDomain

/// One page of the roots of a schema that satisfy a condition.
public struct ReadRequest: Sendable {
    /// The roots' schema.
    public let schema: EntitySchema
    /// What they must satisfy.
    public var condition: Condition
    /// The order, the most significant first; ids, ascending, break ties and need not be named.
    public var order: [OrderTerm]
    /// The page begins after this place, whether or not a root is there. The total does not depend on it.
    public var after: Place?
    /// The most roots that the page may have, any positive number; `nil` means all. No store has a limit of its own.
    public var limit: Int?
    /// Whether the answer says how many roots satisfy the condition, on all pages together.
    public var includesTotal: Bool
    /// What is read of each root.
    public var content: Content
    /// Which copy of the data answers, and which commit the page includes.
    public var consistency: ReadConsistency

    /// What a page has of each root.
    public enum Content: Sendable {
        /// The row, with all that the root owns and links.
        case rows
        /// The id and the version. A store may lend more.
        case versions
    }

    /// Asks for a page; without arguments but the schema, for every root in the order of ids.
    public init(
        _ schema: EntitySchema, where condition: Condition = .always(true), order: [OrderTerm] = [],
        after: Place? = nil, limit: Int? = nil, includesTotal: Bool = false, content: Content = .rows,
        consistency: ReadConsistency = ReadConsistency()
    ) {
        self.schema = schema
        self.condition = condition
        self.order = order
        self.after = after
        self.limit = limit
        self.includesTotal = includesTotal
        self.content = content
        self.consistency = consistency
    }
}

/// One operand that roots are ordered by.
public struct OrderTerm: Hashable, Sendable {
    /// The operand, never a partial one; may be a ``Operand/coalesce(_:_:)``, which sorts by the value that it yields.
    public let operand: Operand
    /// Whether great values come first; `null` is smaller than every value.
    public let isDescending: Bool

    public init(_ operand: Operand, isDescending: Bool = false) {
        self.operand = operand
        self.isDescending = isDescending
    }
}

/// A place in an order: the values of a root's order terms, and its id.
public struct Place: Hashable, Sendable {
    /// One value for each order term.
    public let values: [Value]
    /// The id.
    public let id: RawID

    public init(values: [Value], id: RawID) {
        self.values = values
        self.id = id
    }

    /// The place of an object in an order.
    public init(of object: StorageObject, in order: [OrderTerm]) {
        self.init(values: order.map { $0.operand.value(in: object) ?? .null }, id: object.id)
    }
}

/// A page of roots, each turned into what the reader wanted.
public struct ReadResult<Item: Sendable>: Sendable {
    /// The items, in the order asked for.
    public let items: [Item]
    /// The place of the last item, if and only if more roots satisfy the condition after it.
    public let next: Place?
    /// How many roots satisfy the condition, if asked for, from the snapshot that the items are from.
    public let total: Int?

    public init(items: [Item], next: Place? = nil, total: Int? = nil) {
        self.items = items
        self.next = next
        self.total = total
    }
}

/// Where a page ends.
public struct PageEnd: Sendable {
    /// The place of the last row, if and only if more roots satisfy the condition after it.
    public let next: Place?
    /// How many roots satisfy the condition, if asked for, from the snapshot that the rows are from.
    public let total: Int?

    public init(next: Place? = nil, total: Int? = nil) {
        self.next = next
        self.total = total
    }
}
