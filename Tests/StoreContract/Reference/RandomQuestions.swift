internal import LarderData
internal import LarderDomain

/// Makes random conditions, orders, and counts over any schema of ``Press``.
struct RandomQuestions: Sendable {
    /// The ids of the requirements that the answers test.
    static let requirements = [
        "comparison.1", "comparison.2", "comparison.3", "comparison.4", "comparison.5", "comparison.6", "condition.1",
        "condition.2", "condition.3", "condition.6", "condition.9", "condition.10", "condition.11", "condition.13",
        "condition.14", "condition.15", "condition.16", "condition.17", "condition.18", "condition.19", "counts.2",
        "counts.4", "counts.6", "counts.7", "counts.8", "operand.1", "operand.2", "operand.3", "operand.4", "operand.7",
        "operand.8", "request.1", "request.2", "request.3", "request.4", "request.7", "request.12", "request.16",
        "request.18", "request.20",
    ]

    private var press: RandomPress
    /// Objects, by schema name, whose values the conditions use as often as other values.
    var samples: [String: [StorageObject]] = [:]
    private static let comparisons: [Comparison] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]

    init(seed: UInt64, pools: PressPools = .small) { press = RandomPress(seed: seed, pools: pools) }

    /// A request; its page starts at any position.
    mutating func request(_ schema: EntitySchema) -> ReadRequest {
        let order = (0..<Int.random(in: 0...2, using: &press.chance)).map { _ in
            OrderTerm(orderOperand(schema), isDescending: press.chance.happens(oneIn: 2))
        }
        return ReadRequest(
            schema, where: condition(schema), order: order,
            limit: press.chance.happens(oneIn: 2) ? limit() : nil,
            includesTotal: press.chance.happens(oneIn: 2))
    }

    private mutating func limit() -> Int {
        Int.random(in: press.chance.pick(press.pools.isLarge ? [1...4, 50...600] : [1...4]), using: &press.chance)
    }

    mutating func count(_ schema: EntitySchema) -> CountRequest {
        var keys = schema.columns.indices.map(CountRequest.Key.column)
        keys += schema.links.indices.map(CountRequest.Key.link)
        keys += schema.children.indices.map(CountRequest.Key.childCount)
        return CountRequest(schema, where: condition(schema, depth: 1), by: press.chance.pick(keys))
    }

    private mutating func condition(_ schema: EntitySchema, depth: Int = 2) -> Condition {
        switch depth > 0 ? Int.random(in: 0..<7, using: &press.chance) : 6 {
        case 0, 1:
            let parts = (0..<Int.random(in: 0...3, using: &press.chance)).map { _ in
                condition(schema, depth: depth - 1)
            }
            return press.chance.happens(oneIn: 2) ? .and(parts) : .or(parts)
        case 2 where !schema.children.isEmpty && press.chance.happens(oneIn: 2):
            // Two different objects of a list may satisfy the parts.
            let list = Int.random(in: schema.children.indices, using: &press.chance)
            let parts = (0..<2).map { _ in
                Condition.anyChild(
                    relationship: list, condition(schema.children[list].schema, depth: depth - 1))
            }
            return press.chance.happens(oneIn: 2) ? .and(parts) : .or(parts)
        case 2: return .not(condition(schema, depth: depth - 1))
        default: return leaf(schema, depth)
        }
    }

    private mutating func leaf(_ schema: EntitySchema, _ depth: Int) -> Condition {
        switch Int.random(in: 0..<8, using: &press.chance) {
        case 0 where !schema.links.isEmpty:
            let list = Int.random(in: schema.links.indices, using: &press.chance)
            let pool = press.pools.roots[schema.links[list].target] ?? []
            return .links(relationship: list, id: press.chance.pick(pool))
        case 1, 2:
            guard !schema.children.isEmpty else { break }
            let list = Int.random(in: schema.children.indices, using: &press.chance)
            return .anyChild(relationship: list, condition(schema.children[list].schema, depth: max(depth, 1) - 1))
        case 3 where !schema.links.isEmpty || !schema.children.isEmpty:
            let lengths = schema.links.indices.map(Operand.linkCount) + schema.children.indices.map(Operand.childCount)
            return .compare(
                press.chance.pick(lengths), press.chance.pick(Self.comparisons),
                .literal(.integer(Int64.random(in: 0...2, using: &press.chance))))
        case 4: return isIn(schema)
        case 5: return text(schema)
        case 6 where press.chance.happens(oneIn: 3):
            return .compare(.id, press.chance.pick(Self.comparisons), .literal(anyID(of: schema)))
        default: break
        }
        let index = Int.random(in: schema.columns.indices, using: &press.chance)
        return .compare(
            operand(schema, index), press.chance.pick(Self.comparisons),
            press.chance.happens(oneIn: 3) ? other(schema, index) : .literal(value(schema, index)))
    }

    private mutating func isIn(_ schema: EntitySchema) -> Condition {
        let lengths = press.pools.isLarge && press.chance.happens(oneIn: 2) ? 100...300 : 0...3
        let count = Int.random(in: lengths, using: &press.chance)
        let index = Int.random(in: -1..<schema.columns.count, using: &press.chance)
        let type = index < 0 ? ColumnType.id : schema.columns[index].type
        // A long list stays long without duplicates: half of its values are distinct values that no root has.
        let distinct = count > 3 ? (0..<count).map { type.value(number: $0) } : []
        if index < 0 { return .isIn(.id, Set((0..<count).map { _ in anyID(of: schema) } + distinct)) }
        return .isIn(operand(schema, index), Set((0..<count).map { _ in value(schema, index) } + distinct))
    }

    private mutating func anyID(of schema: EntitySchema) -> Value {
        let pools = press.pools
        // Rarely of other objects: within a list, the ids of the owning objects do not match.
        let pool =
            press.chance.happens(oneIn: 4)
            ? pools.roots["magazine"] : pools.roots[schema.name] ?? pools.owned[schema.name]
        return .id(press.chance.pick(pool ?? []))
    }

    private mutating func text(_ schema: EntitySchema) -> Condition {
        guard let index = schema.columns.firstIndex(where: { $0.type == .text }) else { return .always(true) }
        let part = press.chance.pick(press.chance.happens(oneIn: 12) ? PressPools.longTexts : PressPools.texts)
        return press.chance.happens(oneIn: 2) ? .contains(.column(index), part) : .hasPrefix(.column(index), part)
    }

    /// A column, an arithmetic expression over it, or a default value for `null`.
    private mutating func operand(_ schema: EntitySchema, _ index: Int) -> Operand {
        let column = schema.columns[index]
        switch column.type {
        case .integer where press.chance.happens(oneIn: 2):
            let operation = press.chance.pick([Arithmetic.add, .subtract, .multiply, .divide, .remainder])
            return .arithmetic(.column(index), operation, .literal(.integer(press.chance.pick(PressPools.integers))))
        case .real where press.chance.happens(oneIn: 2):
            let operation = press.chance.pick([Arithmetic.add, .subtract, .multiply, .divide])
            return .arithmetic(.column(index), operation, .literal(.real(press.chance.pick(PressPools.reals))))
        default: break
        }
        switch Int.random(in: 0..<8, using: &press.chance) {
        case 0: return coalesced(schema, index)
        // Either part may be undefined.
        case 1: return .coalesce(operand(schema, index), operand(schema, index))
        default: return .column(index)
        }
    }

    /// A column of the same type, possibly the same one.
    private mutating func other(_ schema: EntitySchema, _ index: Int) -> Operand {
        let type = schema.columns[index].type
        return .column(press.chance.pick(schema.columns.indices.filter { schema.columns[$0].type == type }))
    }

    private mutating func coalesced(_ schema: EntitySchema, _ index: Int) -> Operand {
        let literal = Operand.literal(value(schema, index, isNullable: false))
        return .coalesce(.column(index), press.chance.happens(oneIn: 2) ? other(schema, index) : literal)
    }

    private mutating func orderOperand(_ schema: EntitySchema) -> Operand {
        switch Int.random(in: 0..<6, using: &press.chance) {
        case 0: .id
        case 1 where !schema.links.isEmpty: .linkCount(Int.random(in: schema.links.indices, using: &press.chance))
        case 2 where !schema.children.isEmpty:
            .childCount(Int.random(in: schema.children.indices, using: &press.chance))
        case 3: coalesced(schema, Int.random(in: schema.columns.indices, using: &press.chance))
        default: .column(Int.random(in: schema.columns.indices, using: &press.chance))
        }
    }

    private mutating func value(_ schema: EntitySchema, _ index: Int, isNullable: Bool = true) -> Value {
        let column = schema.columns[index]
        if let objects = samples[schema.name], press.chance.happens(oneIn: 2) {
            let value = press.chance.pick(objects).values[index]
            if isNullable || value != .null { return value }
        }
        if isNullable, press.chance.happens(oneIn: 4) { return .null }
        if let reference = column.reference { return .id(press.chance.pick(press.pools.roots[reference.target] ?? [])) }
        return press.value(Column(name: column.name, type: column.type), present: [:])
    }
}

extension ColumnType {
    /// A value of the type, different for each number.
    fileprivate func value(number: Int) -> Value {
        switch self {
        case .integer, .boolean, .timestamp: .integer(1 << 50 + Int64(number))
        case .real: .real(Double(number) + 0.123)
        case .text, .day: .text("of no root \(number)")
        case .blob: .blob(Array("of no root \(number)".utf8))
        case .id: .id(RawID(high: 1, low: UInt64(number)))
        }
    }
}
