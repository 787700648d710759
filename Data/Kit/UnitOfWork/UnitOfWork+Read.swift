public import LarderDomain

extension UnitOfWork {
    /// The roots with these ids, including pending changes, in the order of the ids. Absent roots are omitted, and
    /// their absence is an expectation of the commit.
    public func read(_ ids: [RawID], of schema: EntitySchema) async throws(PersistencyError) -> [StorageObject] {
        while true {
            let unknown = try whileOpen { state in ids.filter { state.tracked[EntityKey(schema, $0)] == nil } }
            let found = unknown.isEmpty ? [] : try await store.read(unknown, of: schema)
            let objects = try whileOpen { (state) throws(PersistencyError) -> [StorageObject]? in
                for object in found { try state.track(object.key, object) }
                for id in unknown where state.tracked[EntityKey(schema, id)] == nil {
                    try state.track(EntityKey(schema, id), nil)
                }
                defer { state.dropContents() }
                return state.objects(ids, of: schema)
            }
            if let objects { return objects }
        }
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
        var request = request
        request.condition = try await evaluable(request.condition, of: request.schema)
        return try await page(request)
    }

    /// The condition with the ids of other roots, including pending changes. These roots are not tracked.
    private func evaluable(_ condition: Condition, of schema: EntitySchema) async throws(PersistencyError) -> Condition
    {
        if condition.relatedSchemas.isEmpty { return condition }
        return try await condition.resolved(of: schema) { (schema, condition) throws(PersistencyError) in
            try await loadReferrers(of: schema)
            let (stored, touched) = untouched(condition, of: schema)
            return try await store.read(ReadRequest(schema, where: stored)).items
                + touched.compactMap(\.current).filter(condition.holds)
        }
    }

    /// The condition without the written roots of the schema, and these roots.
    private func untouched(
        _ condition: Condition, of schema: EntitySchema
    ) -> (condition: Condition, touched: [TrackedRoots.Root]) {
        let touched = tracked.touched(of: schema)
        if touched.isEmpty { return (condition, []) }
        return (.all([condition, .not(.isIn(.id, Set(touched.map { .id($0.key.id) })))]), touched)
    }

    /// The page, if no pending removal of an untracked root can affect the condition.
    func page(_ request: ReadRequest) async throws(PersistencyError) -> ReadResult<StorageObject> {
        while true {
            let touched = try whileOpen { $0.tracked.touched(of: request.schema).count }
            var wider = request
            // Each written root may displace one on the store's page.
            wider.limit = request.limit.map { limit in
                let (sum, isOver) = limit.addingReportingOverflow(touched)
                return isOver ? .max : sum
            }
            let answer = try await store.read(wider)
            let page = try whileOpen { (state) throws(PersistencyError) in
                try state.page(request, from: answer, touched: touched)
            }
            if let page { return page }
        }
    }

    /// The number of roots that satisfy a condition, by key, including pending changes.
    public func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        try await loadReferrers(of: request.schema)
        var request = request
        request.condition = try await evaluable(request.condition, of: request.schema)
        // A store of an earlier version counts faster than the default for aggregates.
        if tracked.touched(of: request.schema).isEmpty { return try await store.counts(request) }
        return try await aggregates(AggregateRequest(request)).counts
    }

    /// Figures of roots that satisfy a condition, including pending changes. The roots are not tracked, so the commit
    /// does not check their versions.
    public func aggregates(_ request: AggregateRequest) async throws(PersistencyError) -> AggregateTable {
        try await loadReferrers(of: request.schema)
        let condition = try await evaluable(request.condition, of: request.schema)
        let (stored, touched) = untouched(condition, of: request.schema)
        var others = request
        others.condition = stored
        var table = try await store.aggregates(others)
        for root in touched.compactMap(\.current) where condition.holds(for: root) { table.add(root) }
        return table
    }

    /// Loads the roots of a schema that pending removals affect; the stored roots still have the references.
    private func loadReferrers(of schema: EntitySchema) async throws(PersistencyError) {
        try whileOpen { _ in }
        while let removal = tracked.unloaded.first(where: { $0.reference.root.name == schema.name }) {
            let objects = try await referrers(of: removal)
            try whileOpen { (state) throws(PersistencyError) in
                for object in objects { try state.track(object.key, object) }
                state.tracked.didLoad(removal)
            }
        }
    }

    func referrers(of removal: ReferenceRemoval) async throws(PersistencyError) -> [StorageObject] {
        let condition = removal.reference.refers(to: removal.target)
        return try await store.read(ReadRequest(removal.reference.root, where: condition)).items
    }
}

extension UnitOfWork.State {
    /// The pending states of roots that are not absent; `nil` if another task has dropped the contents of one.
    fileprivate func objects(_ ids: [RawID], of schema: EntitySchema) -> [StorageObject]? {
        var objects: [StorageObject] = []
        objects.reserveCapacity(ids.count)
        for id in ids {
            guard let root = tracked[EntityKey(schema, id)] else { return nil }
            if let object = root.current { objects.append(object) }
        }
        return objects
    }

    /// A page, from the store's answer and the pending changes; `nil` if it must be read again, because the number of
    /// written roots has changed.
    fileprivate mutating func page(
        _ request: ReadRequest, from answer: ReadResult<StorageObject>, touched count: Int
    ) throws(PersistencyError) -> ReadResult<StorageObject>? {
        let touched = tracked.touched(of: request.schema)
        guard touched.count == count else { return nil }
        let touchedIDs = Set(touched.map(\.key.id))
        let untouched = answer.items.filter { !touchedIDs.contains($0.id) }
        let merged = touched.isEmpty ? answer : request.answer(from: untouched + touched.compactMap(\.current))
        for object in merged.items where !touchedIDs.contains(object.id) { try track(object.key, object) }
        // Removals apply to some of these roots, which count as written from now on.
        guard tracked.touched(of: request.schema).count == count else { return nil }

        defer { dropContents() }
        let isCut = answer.next != nil || merged.next != nil
        func matches(_ object: StorageObject?) -> Bool { object.map(request.condition.holds) ?? false }
        let difference = touched.count { matches($0.current) } - touched.count { matches($0.base) }
        let next = isCut ? merged.items.last.map { Place(of: $0, in: request.order) } : nil
        return ReadResult(items: merged.items, next: next, total: answer.total.map { $0 + difference })
    }
}
