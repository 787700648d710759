public import LarderDomain

extension ReadRequest {
    /// Whether one position precedes another in the request's order.
    public func precedes(_ lhs: Place, _ rhs: Place) -> Bool {
        for (index, term) in order.enumerated() where lhs.values[index] != rhs.values[index] {
            return Value.precedes(lhs.values[index], rhs.values[index]) != term.isDescending
        }
        return lhs.id < rhs.id
    }

    /// The condition that a root follows ``after``, for stores that cannot compare positions. The first order term is
    /// also compared separately, so that an index on it can seek.
    public var afterCondition: Condition {
        guard let after else { return .always(true) }
        var condition = Condition.compare(.id, .greater, .literal(.id(after.id)))
        for (term, value) in zip(order, after.values).reversed() {
            condition = term.after(value, then: condition)
        }
        return condition
    }

    /// Whether the roots are ordered by the rank of a search.
    public var isRanked: Bool { order.contains { if case .rank = $0.operand { true } else { false } } }

    /// Throws `unsupportedQuery` if these are more roots than a search may rank; see ``rankLimit``.
    public func checkRanked(_ count: Int) throws(PersistencyError) {
        if isRanked, count > rankLimit {
            throw .unsupportedQuery("a search that finds more than \(rankLimit) entities: add a word or a condition")
        }
    }

    /// The number of roots on the page, of those that satisfy the condition after its start.
    package func pageLength(_ roots: some Sequence<StorageObject>) -> Int {
        var (count, bytes) = (0, content == .versions ? nil : byteLimit)
        for root in roots {
            if count == limit { break }
            count += 1
            bytes? -= root.memoryByteCount
            if let bytes, bytes < 0 { break }
        }
        return count
    }

    /// Answers the request from objects in memory, which must be all roots of the schema; for stores in memory.
    ///
    /// - Complexity: O(*m* + *n* log *n*) for *m* objects, of which *n* satisfy the condition.
    public func answer(from objects: some Sequence<StorageObject>) -> ReadResult<StorageObject> {
        var found: [(place: Place, object: StorageObject)] = []
        var total = 0
        for object in objects where condition.holds(for: object) {
            total += 1
            let place = Place(of: object, in: order)
            if let after, !precedes(after, place) { continue }
            found.append((place, object))
        }
        found.sort { precedes($0.place, $1.place) }
        let page = found.prefix(pageLength(found.lazy.map(\.object)))
        let next = page.count < found.count ? page.last?.place : nil
        return ReadResult(items: page.map(\.object), next: next, total: includesTotal ? total : nil)
    }
}

extension OrderTerm {
    /// The condition that a root follows a value in this term, or is equal in it and satisfies the rest.
    fileprivate func after(_ value: Value, then rest: Condition) -> Condition {
        let isNull = Condition.compare(operand, .equal, .literal(.null))
        switch (value, isDescending) {
        case (.null, false): return .any([.all([isNull, rest]), .not(isNull)])
        case (.null, true): return .all([isNull, rest])
        case (_, false):
            return .all([
                .compare(operand, .greaterOrEqual, .literal(value)),
                .any([.compare(operand, .greater, .literal(value)), rest]),
            ])
        case (_, true):
            return .any([
                isNull,
                .all([
                    .compare(operand, .lessOrEqual, .literal(value)),
                    .any([.compare(operand, .less, .literal(value)), rest]),
                ]),
            ])
        }
    }
}
