/// One random query: what it asks for, in which order, in pages of which length.
struct Inquiry: Sendable {
    /// What rows must satisfy: all of it.
    let parts: [PlainQuestion]
    /// What is asked there.
    let cells: [Cell]
    let order: [PlainOrder]
    /// The most rows on a page; `nil` for one page.
    let limit: Int?
    let includesTotal: Bool
    /// What the rows are counted by, beside being read; no id.
    let grouping: Property?
    /// Whether it is to be asked by predicates of a manager, rather than by a condition of the store.
    let prefersPredicates: Bool

    var question: PlainQuestion { .all(parts) }
}

extension Inquiry: CustomStringConvertible {
    var description: String {
        let order = order.map { "\($0.property)\($0.isDescending ? " down" : "")" }
        return "\(question) by \(order), \(limit.map { "\($0) a page" } ?? "one page")"
    }
}
