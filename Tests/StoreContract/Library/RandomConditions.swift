internal import LarderData
internal import LarderDomain

/// Conditions over books, of every form that there is.
struct RandomConditions {
    private var chance = Chance(seed: 11)
    private let shop: Bookshop

    private static let comparisons: [Comparison] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]

    init(_ shop: Bookshop) {
        self.shop = shop
    }

    mutating func next(depth: Int = 3) -> Condition {
        switch depth > 0 ? Int.random(in: 0..<6, using: &chance) : 5 {
        case 0: .and((0..<2).map { _ in next(depth: depth - 1) })
        case 1: .or((0..<3).map { _ in next(depth: depth - 1) })
        case 2: .not(next(depth: depth - 1))
        default: leaf()
        }
    }

    private mutating func leaf() -> Condition {
        switch Int.random(in: 0..<13, using: &chance) {
        case 0: return .contains(text(), chance.pick(Bookshop.words))
        case 1: return .hasPrefix(text(), String(chance.pick(Bookshop.words).prefix(2)))
        case 2: return .links(relationship: 0, id: chance.pick(shop.genres).id.rawValue)
        case 3: return .anyChild(relationship: 0, chapterCondition())
        case 4: return .compare(.linkCount(0), comparison(), .literal(.integer(1)))
        case 5: return .compare(.childCount(0), comparison(), .literal(.integer(2)))
        case 6: return .compare(number(), comparison(), number())
        case 7: return .compare(.coalesce(.column(2), .literal(.integer(5))), comparison(), .column(5))
        case 8: return .isIn(.column(2), (0..<3).map { _ in value(ofColumn: 2) })
        case 9: return .compare(.id, comparison(), .literal(.id(chance.pick(shop.books).id.rawValue)))
        case 10: return .always(chance.happens(oneIn: 2))
        case 11: return .compare(real(), comparison(), .literal(.real(chance.pick([0, 0.5, 1e9, -1e300]))))
        default:
            let column = Int.random(in: 0..<9, using: &chance)
            return .compare(.column(column), comparison(), .literal(value(ofColumn: column)))
        }
    }

    private mutating func chapterCondition() -> Condition {
        let minutes = Condition.compare(.column(1), comparison(), .literal(.integer(5)))
        let title = Condition.compare(.column(0), comparison(), .literal(.text(chance.pick(Bookshop.words))))
        switch Int.random(in: 0..<4, using: &chance) {
        case 0: return .and([minutes, .not(title)])
        case 1: return .or([minutes, title])
        case 2: return .compare(.childCount(0), comparison(), .literal(.integer(1)))
        default: return .anyChild(relationship: 0, noteCondition())
        }
    }

    private mutating func noteCondition() -> Condition {
        let genre = Value.id(chance.pick(shop.genres).id.rawValue)
        let source = Condition.compare(.column(1), comparison(), .literal(chance.happens(oneIn: 2) ? .null : genre))
        return chance.happens(oneIn: 2) ? source : .and([.contains(.column(0), chance.pick(Bookshop.words)), source])
    }

    private mutating func comparison() -> Comparison { chance.pick(Self.comparisons) }

    private mutating func text() -> Operand {
        chance.pick([.column(0), .column(1), .coalesce(.column(1), .column(0))])
    }

    /// An integer, from arithmetic that may overflow or divide by zero.
    private mutating func number() -> Operand {
        let pages = Operand.coalesce(.column(2), .literal(.integer(0)))
        let other = chance.pick([Operand.literal(.integer(3)), .literal(.integer(-1)), .childCount(0), .column(5)])
        let operation = chance.pick([Arithmetic.add, .subtract, .multiply, .divide, .remainder])
        return .arithmetic(pages, operation, other)
    }

    /// A number from arithmetic that may leave what numbers there are.
    private mutating func real() -> Operand {
        let price = Operand.coalesce(.column(3), .literal(.real(2)))
        let other = chance.pick([Operand.literal(.real(0)), .literal(.real(-3)), .literal(.real(1e300)), price])
        return .arithmetic(price, chance.pick([Arithmetic.add, .subtract, .multiply, .divide]), other)
    }

    private mutating func value(ofColumn column: Int) -> Value {
        guard let object = try? chance.pick(shop.books).object else { return .null }
        return object.values[column]
    }
}
