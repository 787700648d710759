/// One random query: condition, order, and page size.
struct Inquiry: Sendable {
    /// The conditions; rows must satisfy all of them.
    let parts: [PlainQuestion]
    /// The cells that the query covers.
    let cells: [Cell]
    let order: [PlainOrder]
    /// The page size; `nil` for a single page.
    let limit: Int?
    let includesTotal: Bool
    /// The property by which the rows are also counted; never the id.
    let grouping: Property?
    /// Whether the query is sent as predicates of a manager rather than as a condition of the store.
    let prefersPredicates: Bool

    var question: PlainQuestion { .all(parts) }
}

extension Inquiry: CustomStringConvertible {
    var description: String {
        let order = order.map { "\($0.property)\($0.isDescending ? " down" : "")" }
        return "\(question) by \(order), \(limit.map { "\($0) a page" } ?? "one page")"
    }
}
