internal import LarderDomain

extension PlainKind {
    /// The type of the properties of this kind.
    var type: any Askable.Type {
        switch self {
        case .integer: Int64.self
        case .real: Double.self
        case .decimal: ExactDecimal.self
        case .text: String.self
        case .flag: Bool.self
        case .instant: Timestamp.self
        case .day: CalendarDay.self
        case .bytes: [UInt8].self
        case .id: RawID.self
        }
    }
}

extension Askable {
    /// The grouping by a property of this type, and the key of a specimen.
    static func grouping(
        by property: Property
    ) -> (grouping: Grouping<Specimen, Self>, key: (Specimen) -> Self?)? {
        if property.isOptional {
            return optionalPath.map { path in (Grouping.value(path), { $0[keyPath: path] }) }
        }
        return path.map { path in (Grouping.value(path), { $0[keyPath: path] }) }
    }
}

/// Fails the law unless a manager's counts and figures of a query, by a property, are those of its entities.
func expectFigures(
    _ query: Query<Specimen>, by property: Property, of list: [Specimen], _ manager: any PersistencyManager
) async throws {
    let all = try await manager.aggregates(query, of: .count)
    try expect("the number", all.map(\.values), is: [list.count])
    func check<V: Askable>(_ type: V.Type) async throws {
        guard let (grouping, key) = type.grouping(by: property) else { return }
        var groups: [V: [Specimen]] = [:]
        for specimen in list { if let key = key(specimen) { groups[key, default: []].append(specimen) } }
        try expect(
            "the counts by \(property)", try await manager.counts(query, by: grouping), is: groups.mapValues(\.count))
        let figures = try await manager.aggregates(
            query, by: grouping, of: .count, .minimum(\.real), .maximum(\.maybeDay), .minimum(\.maybeDecimal))
        try expect("the number of groups", figures.count, is: groups.count)
        for (key, values) in figures {
            let group = groups[key] ?? []
            try expect("the number of \(key)", values.0, is: group.count)
            try expect("the least number of \(key)", values.1, is: group.map(\.real).min())
            try expect("the last day of \(key)", values.2, is: group.compactMap(\.maybeDay).max())
            try expect("the least decimal of \(key)", values.3, is: group.compactMap(\.maybeDecimal).min())
        }
        try await expectSums(query, by: grouping, of: groups, manager)
    }
    try await check(property.kind.type)
}

/// Fails the law unless sums and averages are those of the groups, which are refused if one is beyond 64 bits.
private func expectSums<V: Askable>(
    _ query: Query<Specimen>, by grouping: Grouping<Specimen, V>, of groups: [V: [Specimen]],
    _ manager: any PersistencyManager
) async throws {
    func sum(_ values: [Int64]) -> Int64? { Int64(exactly: values.reduce(0 as Int128) { $0 + Int128($1) }) }
    let sums = groups.mapValues { group in
        (sum(group.map(\.integer)), sum(group.compactMap { $0.maybeDecimal?.units }))
    }
    let isBeyond = sums.values.contains { $0.0 == nil || $0.1 == nil }
    do {
        let found = try await manager.aggregates(
            query, by: grouping, of: .sum(\.integer), .average(\.maybeDecimal))
        try expect(!isBeyond, "a sum beyond 64 bits has a value")
        for (key, values) in found {
            let count = groups[key]?.count { $0.maybeDecimal != nil } ?? 0
            try expect("the sum of \(key)", Int64(values.0), is: sums[key]?.0 ?? 0)
            let total = ExactDecimal(units: sums[key]?.1 ?? 0, scale: SpecimenMapper.decimalScale)
            try expect("the average of \(key)", values.1, is: SumOfValues(sum: total, count: count))
        }
    } catch PersistencyError.unsupportedQuery where isBeyond {}
}
