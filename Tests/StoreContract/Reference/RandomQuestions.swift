internal import LarderData
internal import LarderDomain

/// Makes conditions, orders and counts over any schema of ``Press`` at random.
struct RandomQuestions: Sendable {
    private var press: RandomPress
    private static let comparisons: [Comparison] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]

    init(seed: UInt64) { press = RandomPress(chance: Chance(seed: seed)) }

    /// A request; its page begins anywhere.
    mutating func request(_ schema: EntitySchema) -> ReadRequest {
        let order = (0..<Int.random(in: 0...2, using: &press.chance)).map { _ in
            OrderTerm(orderOperand(schema), isDescending: press.chance.happens(oneIn: 2))
        }
        return ReadRequest(
            schema, where: condition(schema), order: order,
            limit: press.chance.happens(oneIn: 2) ? Int.random(in: 1...4, using: &press.chance) : nil,
            includesTotal: press.chance.happens(oneIn: 2))
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
            let parts = (0..<Int.random(in: 0...3, using: &press.chance)).map { _ in condition(schema, depth: depth - 1)
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
            let pool = RandomPress.pools[schema.links[list].target] ?? []
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
        default: break
        }
        let index = Int.random(in: schema.columns.indices, using: &press.chance)
        return .compare(
            operand(schema, index), press.chance.pick(Self.comparisons),
            press.chance.happens(oneIn: 3) ? other(schema, index) : .literal(value(schema.columns[index])))
    }

    private mutating func isIn(_ schema: EntitySchema) -> Condition {
        let index = Int.random(in: schema.columns.indices, using: &press.chance)
        let values = (0..<Int.random(in: 0...3, using: &press.chance)).map { _ in value(schema.columns[index]) }
        return .isIn(.column(index), values)
    }

    private mutating func text(_ schema: EntitySchema) -> Condition {
        guard let index = schema.columns.firstIndex(where: { $0.type == .text }) else { return .always(true) }
        let part = press.chance.pick(RandomPress.texts)
        return press.chance.happens(oneIn: 2) ? .contains(.column(index), part) : .hasPrefix(.column(index), part)
    }

    /// A column, or a number made of it, or what stands in for it.
    private mutating func operand(_ schema: EntitySchema, _ index: Int) -> Operand {
        let column = schema.columns[index]
        switch column.type {
        case .integer where press.chance.happens(oneIn: 2):
            let operation = press.chance.pick([Arithmetic.add, .subtract, .multiply, .divide, .remainder])
            return .arithmetic(.column(index), operation, .literal(.integer(press.chance.pick(RandomPress.integers))))
        case .real where press.chance.happens(oneIn: 2):
            let operation = press.chance.pick([Arithmetic.add, .subtract, .multiply, .divide])
            return .arithmetic(.column(index), operation, .literal(.real(press.chance.pick(RandomPress.reals))))
        default: return press.chance.happens(oneIn: 4) ? coalesced(schema, index) : .column(index)
        }
    }

    /// A column of the same type, perhaps the same.
    private mutating func other(_ schema: EntitySchema, _ index: Int) -> Operand {
        let type = schema.columns[index].type
        return .column(press.chance.pick(schema.columns.indices.filter { schema.columns[$0].type == type }))
    }

    private mutating func coalesced(_ schema: EntitySchema, _ index: Int) -> Operand {
        let literal = Operand.literal(value(schema.columns[index], isNullable: false))
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

    private mutating func value(_ column: Column, isNullable: Bool = true) -> Value {
        if isNullable, press.chance.happens(oneIn: 4) { return .null }
        if let reference = column.reference { return .id(press.chance.pick(RandomPress.pools[reference.target] ?? [])) }
        let column = Column(name: column.name, type: column.type)
        return press.value(column, present: [:])
    }
}
