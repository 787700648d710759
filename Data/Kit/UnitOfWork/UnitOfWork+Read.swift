public import LarderDomain

extension UnitOfWork {
    /// The roots with these ids, including pending changes, in the order of the ids. Absent roots are omitted, and
    /// their absence is an expectation of the commit.
    public func read(_ ids: [RawID], of schema: EntitySchema) async throws(PersistencyError) -> [StorageObject] {
        try checkOpen()
        let unknown = ids.filter { tracked[EntityKey(schema, $0)] == nil }
        if !unknown.isEmpty {
            let found = try await store.read(unknown, of: schema)
            try checkOpen()
            for object in found { try track(EntityKey(schema, object.id), object) }
            for id in unknown where tracked[EntityKey(schema, id)] == nil { try track(EntityKey(schema, id), nil) }
        }
        return ids.compactMap { tracked[EntityKey(schema, $0)]?.current }
    }

    /// The root with this id, including pending changes, or `nil`.
    public func read(_ id: RawID, of schema: EntitySchema) async throws(PersistencyError) -> StorageObject? {
        try await read([id], of: schema).first
    }

    /// A page of the roots that satisfy a condition, including pending changes.
    ///
    /// The store provides the roots that the unit has not written; the condition interpreter filters the others. After
    /// a delete that removed references from untracked roots, the first query of their schema loads all of them.
    public func read(_ request: ReadRequest) async throws(PersistencyError) -> ReadResult<StorageObject> {
        try await loadReferrers(of: request.schema)
        return try await page(request)
    }

    /// The page, if no pending removal of an untracked root can affect the condition.
    func page(_ request: ReadRequest) async throws(PersistencyError) -> ReadResult<StorageObject> {
        try checkOpen()
        let touchedBefore = tracked.touched(of: request.schema).count
        var wider = request
        // Each written root may displace one on the store's page.
        wider.limit = request.limit.map { limit in
            let (sum, isOver) = limit.addingReportingOverflow(touchedBefore)
            return isOver ? .max : sum
        }
        let answer = try await store.read(wider)
        try checkOpen()

        let touched = tracked.touched(of: request.schema)
        guard touched.count == touchedBefore else { return try await self.page(request) }
        let touchedIDs = Set(touched.map(\.key.id))
        let untouched = answer.items.filter { !touchedIDs.contains($0.id) }
        let mine = request.answer(from: touched.compactMap(\.root.current))
        let merged = merge(untouched, mine.items, by: request)
        let page = Array(merged.prefix(request.limit ?? merged.count))
        for object in page where !touchedIDs.contains(object.id) {
            try track(EntityKey(object.schema, object.id), object)
        }
        // Removals apply to some of these roots, which count as written from now on.
        guard tracked.touched(of: request.schema).count == touchedBefore else { return try await self.page(request) }

        let isCut = page.count < merged.count || answer.next != nil || mine.next != nil
        let condition = request.condition
        let total = answer.total.map { total in touched.reduce(total) { $0 + $1.root.difference(in: condition) } }
        let next = isCut ? page.last.map { Place(of: $0, in: request.order) } : nil
        return ReadResult(items: page, next: next, total: total)
    }

    /// The number of roots that satisfy a condition, by key, including pending changes. Counted roots are not tracked,
    /// so the commit does not check their versions.
    public func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        try await loadReferrers(of: request.schema)
        var counts = try await store.counts(request)
        let condition = request.condition
        for (_, root) in tracked.touched(of: request.schema) {
            if let base = root.base, condition.holds(for: base) {
                for key in request.keys(of: base) { counts[key, default: 0] -= 1 }
            }
            if let current = root.current, condition.holds(for: current) {
                for key in request.keys(of: current) { counts[key, default: 0] += 1 }
            }
        }
        return counts.filter { $0.value > 0 }
    }

    /// Loads the roots of a schema that pending removals affect; the stored roots still have the references.
    private func loadReferrers(of schema: EntitySchema) async throws(PersistencyError) {
        try checkOpen()
        while let removal = tracked.unloaded.first(where: { $0.reference.root.name == schema.name }) {
            for object in try await referrers(of: removal) { try track(EntityKey(schema, object.id), object) }
            tracked.didLoad(removal)
        }
    }

    func referrers(of removal: ReferenceRemoval) async throws(PersistencyError) -> [StorageObject] {
        let condition = removal.reference.refers(to: removal.target)
        let found = try await store.read(ReadRequest(removal.reference.root, where: condition))
        try checkOpen()
        return found.items
    }

    /// Merges two lists in a request's order.
    private func merge(
        _ lhs: [StorageObject], _ rhs: [StorageObject], by request: ReadRequest
    ) -> [StorageObject] {
        guard !rhs.isEmpty else { return lhs }
        let placed = (lhs + rhs).map { (place: Place(of: $0, in: request.order), object: $0) }
        return placed.sorted { request.precedes($0.place, $1.place) }.map(\.object)
    }
}

extension TrackedRoots.Root {
    /// The change that the root makes to the number of roots that satisfy a condition: -1, 0, or 1.
    fileprivate func difference(in condition: Condition) -> Int {
        let before = base.map { condition.holds(for: $0) } ?? false
        let now = current.map { condition.holds(for: $0) } ?? false
        return (now ? 1 : 0) - (before ? 1 : 0)
    }
}
