internal import LarderData
internal import LarderDomain
internal import Synchronization

/// Searches a snapshot of a table on a store's thread, in slices, so that other work on the thread can run in between.
struct TableScan: Sendable {
    /// The maximum number of roots that one slice visits or lends.
    private static let slice = 4096

    let table: RootTable
    let thread: StoreThread
    let workLog: WorkLog
    /// Whether objects have values that must not be lent; see ``FurtherColumns``.
    var hasFurtherColumns = false

    /// Lends the rows of a page; throws `cancelled` if the task is cancelled.
    ///
    /// - Complexity: O(*m* log *n*) for a page of *m* roots in the order of ids or of an indexed column, and for roots
    ///   with given values in an indexed column. O(*n*) for any other order, for conditions that few roots satisfy, and
    ///   for the total of a condition.
    func lend(_ request: ReadRequest, to body: @escaping RowBody) async throws(PersistencyError) -> PageEnd {
        let search = Mutex(PageSearch(request, table))
        var found: ReadResult<StorageObject>?
        while found == nil {
            found = try await run { () throws(PersistencyError) in
                let found = search.withLock { $0.advance(Self.slice, workLog) }
                if let found, !found.items.isEmpty { try lend(found.items.prefix(Self.slice), to: body) }
                return found
            }
        }
        guard let found else { throw .cancelled }
        for start in stride(from: Self.slice, to: found.items.count, by: Self.slice) {
            let part = found.items[start...].prefix(Self.slice)
            try await run { () throws(PersistencyError) in try lend(part, to: body) }
        }
        return PageEnd(next: found.next, total: found.total)
    }

    /// Counts roots; throws `cancelled` if the task is cancelled.
    ///
    /// - Complexity: O(*n*).
    func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        let condition = request.condition
        let search = Mutex((walk: RootWalk(table, where: request.condition), counts: [Value: Int]()))
        var counts: [Value: Int]?
        while counts == nil {
            counts = try await run { () throws(PersistencyError) in
                search.withLock { search in
                    for visited in 0..<Self.slice {
                        guard let root = search.walk.next() else {
                            workLog.noteVisited(visited)
                            return search.counts
                        }
                        guard condition.holds(for: root) else { continue }
                        for key in request.keys(of: root) { search.counts[key, default: 0] += 1 }
                    }
                    workLog.noteVisited(Self.slice)
                    return nil
                }
            }
        }
        return counts ?? [:]
    }

    private func lend(_ objects: ArraySlice<StorageObject>, to body: RowBody) throws(PersistencyError) {
        var rows = Rows(hasFurtherColumns ? objects.map(\.declared)[...] : objects)
        try body(&rows)
    }

    private func run<Result: Sendable>(
        _ body: @Sendable () throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        try await thread.run { () throws(PersistencyError) in
            if Task.isCancelled { throw .cancelled }
            workLog.note(.scan, on: thread)
            let result = try body()
            if Task.isCancelled { throw .cancelled }
            return result
        }
    }
}

private struct PageSearch: Sendable {
    private let condition: Condition
    private var walk: RootWalk
    private var selection: PageSelection
    /// The number of roots so far that satisfy the condition; `nil` if the total is known or not requested.
    private var counted: Int?
    private let total: Int?

    init(_ request: ReadRequest, _ table: RootTable) {
        condition = request.condition
        let isEvery = request.condition == .always(true)
        total = request.includesTotal && isEvery ? table.count : nil
        counted = request.includesTotal && !isEvery ? 0 : nil
        walk = RootWalk(
            table, where: request.condition, order: request.order, after: counted == nil ? request.after : nil)
        selection = PageSelection(request, order: walk.order)
    }

    /// Visits the roots of one slice. Returns the page if it is complete.
    mutating func advance(_ slice: Int, _ workLog: WorkLog) -> ReadResult<StorageObject>? {
        var visited = 0
        defer { workLog.noteVisited(visited) }
        while visited < slice {
            if counted == nil, selection.isComplete { return selection.result(total: total) }
            guard let root = walk.next() else { return selection.result(total: total ?? counted) }
            visited += 1
            guard condition.holds(for: root) else { continue }
            counted = counted.map { $0 + 1 }
            selection.add(root)
        }
        return nil
    }
}
