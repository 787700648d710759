public import LarderDomain

/// One page of the roots of a schema that satisfy a condition.
public struct ReadRequest: Sendable {
    /// The roots' schema.
    public var schema: EntitySchema
    /// The condition that the roots satisfy [request.1].
    public var condition: Condition
    /// The order terms, most significant first [request.2]; ids, ascending, break ties and need not be named
    /// [request.3].
    public var order: [OrderTerm]
    /// The position after which the page starts [request.4]; a root need not exist there [request.5]. The total does
    /// not depend on it [request.6].
    public var after: Place?
    /// The maximum number of roots, any positive number [request.7]; `nil` means all. Stores impose no limit
    /// [request.8].
    public var limit: Int?
    /// The size in bytes after which the page ends: with the root that exceeds it [request.9]. ``PageEnd/next``
    /// continues the list [request.10].
    ///
    /// The size of a root is that of its texts and blobs, and a constant for each value. Stores with
    /// ``Capability/boundedPages`` count it, except in a page of versions; others ignore the limit [request.11].
    public var byteLimit: Int?
    /// Whether the answer includes the number of roots that satisfy the condition, on all pages together [request.12].
    public var includesTotal: Bool
    /// The number of roots that a search may rank: a store throws `unsupportedQuery` if more satisfy the condition
    /// [request.21], on all pages together [request.22].
    public var rankLimit = 200_000
    /// The part of each root that is read.
    public var content: Content
    /// The values that are read of each root instead of it, as rows of another schema. A store may lend whole roots
    /// [request.23].
    public var projection: Projection?
    /// The copy of the data that answers, and the commit that the page includes.
    public var consistency: ReadConsistency

    /// The part of each root that a page contains.
    public enum Content: Sendable {
        /// The row, with everything that the root owns and links, except derived lists [request.13]. A store may lend
        /// more.
        case rows
        /// The row, with everything that the root owns and links [request.14].
        case complete
        /// The id and the version [request.15]. A store may lend more.
        case versions
    }

    /// Requests a page; with only a schema, all of its roots in the order of ids.
    public init(
        _ schema: EntitySchema, where condition: Condition = .always(true), order: [OrderTerm] = [],
        after: Place? = nil, limit: Int? = nil, byteLimit: Int? = nil, includesTotal: Bool = false,
        content: Content = .rows, consistency: ReadConsistency = ReadConsistency()
    ) {
        self.schema = schema
        self.condition = condition
        self.order = order
        self.after = after
        self.limit = limit
        self.byteLimit = byteLimit
        self.includesTotal = includesTotal
        self.content = content
        self.consistency = consistency
    }
}

extension ReadRequest {
    /// The reader of the projection of the current row, which is a whole root.
    @usableFromInline
    func projected(_ rows: borrowing Rows) throws(PersistencyError) -> ObjectReader {
        let root = try rows.storageObject()
        return ObjectReader(projection?.row(of: root) ?? root)
    }
}

/// Values of each root, as the rows of a flat schema.
public struct Projection: Sendable {
    /// The schema of the rows, which has a column for each operand.
    public let schema: EntitySchema
    /// The values, over the schema of the roots.
    public let operands: [Operand]

    /// Creates a projection from columns and their values.
    public init(of root: EntitySchema, _ columns: [Column], _ operands: [Operand]) {
        schema = EntitySchema(name: root.name, columns: columns)
        self.operands = operands
    }

    /// The row of a root.
    func row(of root: StorageObject) -> StorageObject {
        StorageObject(
            schema: schema, id: root.id, version: root.version,
            values: operands.map { $0.value(in: root) ?? .null })
    }
}

/// One operand of an order.
public struct OrderTerm: Hashable, Sendable {
    /// The operand, never a partial one. For a ``Operand/coalesce(_:_:)``, its result is the sort key [request.16].
    public let operand: Operand
    /// Whether the order is descending [request.17]. `null` is smaller than every value [request.18]; the others are in
    /// the order of ``Value/precedes(_:_:)`` [request.19].
    public let isDescending: Bool

    /// Orders by an operand; by default, ascending.
    public init(_ operand: Operand, isDescending: Bool = false) {
        self.operand = operand
        self.isDescending = isDescending
    }
}

/// A position in an order: the values of a root's order terms, and its id.
public struct Place: Hashable, Sendable {
    /// One value for each order term.
    public let values: [Value]
    /// The id.
    public let id: RawID

    /// Creates a position from a value for each order term, and the id that breaks ties.
    public init(values: [Value], id: RawID) {
        self.values = values
        self.id = id
    }

    /// The position of an object in an order.
    public init(of object: StorageObject, in order: [OrderTerm]) {
        self.init(values: order.map { $0.operand.value(in: object) ?? .null }, id: object.id)
    }
}

/// A page of roots, each transformed into an item.
public struct ReadResult<Item: Sendable>: Sendable {
    /// The items, in the order of the request.
    public let items: [Item]
    /// The position of the last item, if and only if more roots satisfy the condition after it.
    public let next: Place?
    /// The number of roots that satisfy the condition, if requested, from the snapshot of the items.
    public let total: Int?

    /// Creates a page; without a position, it is the last one.
    public init(items: [Item], next: Place? = nil, total: Int? = nil) {
        self.items = items
        self.next = next
        self.total = total
    }
}

/// The end of a page, and the total.
public struct PageEnd: Sendable {
    /// The position of the last row, if and only if more roots satisfy the condition after it [request.20].
    public let next: Place?
    /// The number of roots that satisfy the condition, if requested, from the snapshot of the rows.
    public let total: Int?

    /// Describes the end of a page; without arguments, of the last one, without a total.
    public init(next: Place? = nil, total: Int? = nil) {
        self.next = next
        self.total = total
    }
}
