internal import LarderData

/// Selects the roots of a page from a walk, and buffers at most about twice as many.
struct PageSelection: Sendable {
    private let request: ReadRequest
    private let order: RootWalk.Order
    /// One more than the limit, to detect a next page; `nil` without a limit.
    private let bound: Int?
    /// The first roots of the page, in order.
    private var settled: [StorageObject] = []
    /// Unsorted roots that follow the settled ones.
    private var open: [(place: Place, root: StorageObject)] = []
    /// A position after which no root belongs on the page.
    private var worst: Place?
    /// The value of the first order term that the open roots share.
    private var group: Value?

    init(_ request: ReadRequest, order: RootWalk.Order) {
        (self.request, self.order) = (request, order)
        bound = request.limit.map { $0 < .max ? $0 + 1 : $0 }
    }

    /// Whether no further root of the walk belongs on the page.
    var isComplete: Bool { bound.map { settled.count >= $0 } ?? false }

    /// Adds a root that satisfies the condition of the request.
    mutating func add(_ root: StorageObject) {
        if isComplete { return }
        if case .complete = order {
            if request.after.map({ $0.id < root.id }) ?? true { settled.append(root) }
            return
        }
        let place = Place(of: root, in: request.order)
        if let after = request.after, !request.precedes(after, place) { return }
        if case .groups = order, place.values.first != group {
            settle()
            group = place.values.first
        }
        if let worst, !request.precedes(place, worst) { return }
        open.append((place, root))
        guard let bound, open.count / 2 >= max(bound - settled.count, 32) else { return }
        sort(keeping: bound - settled.count)
        worst = open.last?.place
    }

    /// The page, after the end of the walk or a complete selection.
    mutating func result(total: Int?) -> ReadResult<StorageObject> {
        settle()
        let page = Array(settled.prefix(request.pageLength(settled)))
        let next = page.count < settled.count ? page.last.map { Place(of: $0, in: request.order) } : nil
        return ReadResult(items: page, next: next, total: total)
    }

    private mutating func settle() {
        sort(keeping: bound.map { $0 - settled.count } ?? open.count)
        settled += open.map(\.root)
        (open, worst) = ([], nil)
    }

    private mutating func sort(keeping count: Int) {
        open.sort { request.precedes($0.place, $1.place) }
        open.removeLast(max(0, open.count - count))
    }
}
