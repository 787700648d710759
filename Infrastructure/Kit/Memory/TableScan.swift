internal import LarderData
internal import LarderDomain

/// A snapshot of a table that is searched on a store's thread, in slices, so that what else waits there has its turn.
struct TableScan: Sendable {
    /// Chunks of a slice, 16,384 roots at most.
    private static let slice = 64

    let chunks: [[StorageObject]]
    let thread: StoreThread
    let workLog: WorkLog

    /// Answers a request; ends with `cancelled` when the task is.
    ///
    /// - Complexity: O(*n*), and O(*m* log *m*) for the *m* roots that satisfy the condition.
    func answer<Item: Sendable>(
        _ request: ReadRequest, transform: @escaping @Sendable (StorageObject) throws(PersistencyError) -> Item
    ) async throws(PersistencyError) -> ReadResult<Item> {
        guard chunks.count > Self.slice else {
            return try await run { () throws(PersistencyError) in
                try request.answer(from: chunks.joined(), transform: transform)
            }
        }
        var found: [StorageObject] = []
        for part in Self.slices(chunks.count, of: Self.slice) {
            found += try await run { () throws(PersistencyError) in
                chunks[part].joined().filter(request.condition.holds)
            }
        }
        let objects = found
        let page = try await run { () throws(PersistencyError) in
            try request.answer(from: objects) { object throws(PersistencyError) in object }
        }
        var items: [Item] = []
        items.reserveCapacity(page.items.count)
        for part in Self.slices(page.items.count, of: Self.slice * RootTable.chunkSize) {
            items += try await run { () throws(PersistencyError) in
                var items: [Item] = []
                for object in page.items[part] { items.append(try transform(object)) }
                return items
            }
        }
        return ReadResult(items: items, next: page.next, total: page.total)
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

    private static func slices(_ count: Int, of size: Int) -> [Range<Int>] {
        stride(from: 0, to: count, by: size).map { $0..<min($0 + size, count) }
    }
}
