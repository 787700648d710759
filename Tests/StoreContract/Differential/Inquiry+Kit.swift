internal import LarderData
internal import LarderDomain

extension ReadRequest {
    /// The inquiry as a read request; `nil` if no such condition exists.
    init?(_ inquiry: Inquiry) throws {
        let found: Condition?
        do {
            found = try Condition(inquiry.question)
        } catch is OnlyInPredicates {
            return nil
        }
        guard let condition = found else { return nil }
        self.init(
            SpecimenMapper.schema, where: condition,
            order: inquiry.order.map { OrderTerm(Operand($0.property), isDescending: $0.isDescending) },
            limit: inquiry.limit, includesTotal: inquiry.includesTotal)
    }
}

extension Query<Specimen> {
    /// The inquiry as a query with predicates; `nil` if Swift has no such predicate or sort.
    init?(_ inquiry: Inquiry) {
        let predicates = inquiry.parts.compactMap { PredicateMaker.predicate($0) }
        let sort = inquiry.order.compactMap { Sort($0) }
        guard predicates.count == inquiry.parts.count, sort.count == inquiry.order.count else { return nil }
        self.init(sort: sort, limit: inquiry.limit, includesTotal: inquiry.includesTotal)
        self.predicates = predicates
    }
}

extension Sort<Specimen> {
    fileprivate init?(_ order: PlainOrder) {
        let direction: SortDirection = order.isDescending ? .descending : .ascending
        switch order.property {
        case .integer: self.init(\.integer, direction)
        case .real: self.init(\.real, direction)
        case .decimal: self.init(\.decimal, direction)
        case .text: self.init(\.text, direction)
        case .instant: self.init(\.instant, direction)
        case .day: self.init(\.day, direction)
        case .maybeInteger: self.init(\.maybeInteger, direction)
        case .maybeReal: self.init(\.maybeReal, direction)
        case .maybeDecimal: self.init(\.maybeDecimal, direction)
        case .maybeText: self.init(\.maybeText, direction)
        case .maybeInstant: self.init(\.maybeInstant, direction)
        case .maybeDay: self.init(\.maybeDay, direction)
        case .maybeID: self.init(\.maybeID, direction)
        case .id: self.init(\.id, direction)
        case .flag, .bytes, .maybeFlag, .maybeBytes: return nil
        }
    }
}

/// Fails the law unless a manager's counts of the query's results equal the oracle's.
func expectCounts(
    by property: Property, _ query: Query<Specimen>, _ manager: any PersistencyManager, _ expected: [PlainValue: Int]
) async throws {
    func check<V: Askable>(_ type: V.Type) async throws {
        guard let (grouping, _) = type.grouping(by: property) else { return }
        var counts: [V: Int] = [:]
        for (value, count) in expected { if let key = V(plain: value) { counts[key] = count } }
        try expect("the counts by \(property)", try await manager.counts(query, by: grouping), is: counts)
    }
    try await check(property.kind.type)
}
