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
        // The total of a condition, and the roots that a search ranks, are counted in a walk over all roots.
        let isCounted = request.includesTotal && request.condition != .always(true) || request.isRanked
        let walk = RootWalk(
            table, where: request.condition, order: request.order, after: isCounted ? nil : request.after)
        let start = (page: PageSelection(request, order: walk.order), count: 0)
        let found: ReadResult<StorageObject> = try await search(walk, where: request.condition, start) { state, root in
            if let root {
                state.count += 1
                if request.isRanked, state.count > request.rankLimit { return state.page.result(total: state.count) }
                state.page.add(root)
                if isCounted || !state.page.isComplete { return nil }
            }
            return state.page.result(total: isCounted ? state.count : table.count)
        } lending: { found throws(PersistencyError) in
            try request.checkRanked(found.total ?? 0)
            if !found.items.isEmpty { try lend(found.items.prefix(Self.slice), to: body) }
        }
        for start in stride(from: Self.slice, to: found.items.count, by: Self.slice) {
            let part = found.items[start...].prefix(Self.slice)
            try await run { () throws(PersistencyError) in try lend(part, to: body) }
        }
        return PageEnd(next: found.next, total: request.includesTotal ? found.total : nil)
    }

    /// The figures of groups of roots; throws `cancelled` if the task is cancelled.
    ///
    /// - Complexity: O(*n*).
    func aggregates(_ request: AggregateRequest) async throws(PersistencyError) -> AggregateTable {
        let walk = RootWalk(table, where: request.condition)
        return try await search(walk, where: request.condition, AggregateTable(request)) { table, root in
            guard let root else { return table }
            table.add(root)
            return nil as AggregateTable?
        }
    }

    /// Visits the roots of a walk that satisfy a condition, in slices, until a function has a result.
    ///
    /// - Parameters:
    ///   - visit: Receives each root with the state of the search, and `nil` at the end, where it returns the result.
    ///   - lend: Lends the result in the last slice.
    private func search<State: Sendable, Found: Sendable>(
        _ walk: RootWalk, where condition: Condition, _ state: State,
        _ visit: @Sendable (inout State, StorageObject?) -> Found?,
        lending lend: @Sendable (Found) throws(PersistencyError) -> Void = { _ in }
    ) async throws(PersistencyError) -> Found {
        let search = Mutex((walk: walk, state: state))
        while true {
            let found = try await run { () throws(PersistencyError) in
                let found = search.withLock { search -> Found? in
                    var visited = 0
                    defer { workLog.noteVisited(visited) }
                    while visited < Self.slice {
                        guard let root = search.walk.next() else { return visit(&search.state, nil) }
                        visited += 1
                        guard condition.holds(for: root) else { continue }
                        if let found = visit(&search.state, root) { return found }
                    }
                    return nil
                }
                if let found { try lend(found) }
                return found
            }
            if let found { return found }
        }
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
