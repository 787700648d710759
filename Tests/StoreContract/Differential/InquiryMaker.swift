/// Makes inquiries that cover all cells equally often.
struct InquiryMaker {
    private var chance: Chance
    private var cells: [Cell] = []
    /// Whether the next inquiry is a condition, whose decimals have the scale of the column.
    private var isCondition = false
    /// The properties that Swift can sort by.
    private static let ordered = Property.allCases.filter(\.kind.isOrdered)

    init(seed: UInt64) {
        chance = Chance(seed: seed)
    }

    mutating func rows(_ count: Int) -> [PlainRow] { PlainRow.make(count, by: &chance) }

    mutating func next(rows: Int) -> Inquiry {
        let byPredicates = !chance.happens(oneIn: 3)
        isCondition = !byPredicates
        let cells = (0..<Int.random(in: 1...4, using: &chance)).map { _ in nextCell() }
        var leaves = cells.map { leaf($0) }
        if byPredicates && chance.happens(oneIn: 30) { leaves[0] = unanswerable() }
        // Each shape of a predicate is a distinct Swift type for the lifetime of the process, so the shapes stay small.
        let parts = byPredicates ? leaves.map { chance.happens(oneIn: 3) ? .not($0) : $0 } : [joined(leaves[...])]
        return Inquiry(
            parts: parts, cells: cells, order: order(among: byPredicates ? Self.ordered : Property.allCases),
            limit: chance.happens(oneIn: 2) ? Int.random(in: max(1, rows / 8)...rows, using: &chance) : nil,
            includesTotal: chance.happens(oneIn: 2),
            grouping: chance.happens(oneIn: 5) ? chance.pick(Property.allCases.dropLast()) : nil,
            prefersPredicates: byPredicates)
    }

    private mutating func nextCell() -> Cell {
        if cells.isEmpty { cells = Cell.all.shuffled(using: &chance) }
        return cells.removeLast()
    }

    /// A random tree over leaves.
    private mutating func joined(_ leaves: ArraySlice<PlainQuestion>) -> PlainQuestion {
        var question = leaves.first ?? .all([])
        if leaves.count > 1 {
            let middle = leaves.startIndex + Int.random(in: 1..<leaves.count, using: &chance)
            let halves = [joined(leaves[..<middle]), joined(leaves[middle...])]
            question = chance.happens(oneIn: 2) ? .all(halves) : .any(halves)
        }
        return chance.happens(oneIn: 4) ? .not(question) : question
    }

    private mutating func order(among properties: [Property]) -> [PlainOrder] {
        (0..<Int.random(in: 0...3, using: &chance)).map { _ in
            PlainOrder(property: chance.pick(properties), isDescending: chance.happens(oneIn: 2))
        }
    }

    /// A search for one column within another, which stores do not support.
    private mutating func unanswerable() -> PlainQuestion {
        let other = Term.orElse(.property(.maybeText), .given(value(.text)))
        return chance.happens(oneIn: 2) ? .contains(.property(.text), other) : .begins(.property(.text), other)
    }
}

extension InquiryMaker {
    private mutating func leaf(_ cell: Cell) -> PlainQuestion {
        let property = Property.of(cell.kind, optional: cell.missing.isInRows)
        let term = Term.property(property)
        switch cell.operator {
        case .relation(let relation): return .compare(term, relation, operand(cell))
        case .among:
            let count = Int.random(in: 0...4, using: &chance)
            var values = (0..<count).map { _ in value(cell.kind, ofRows: cell.missing.isInOperand) }
            if cell.missing.isInOperand { values.append(.missing) }
            return .isAmong(term, values.shuffled(using: &chance))
        case .contains: return .contains(term, .given(part()))
        case .begins: return .begins(term, .given(part()))
        case .isEmpty: return .isEmpty(term)
        case .range:
            return .isWithin(term, value(cell.kind), value(cell.kind), isClosed: chance.happens(oneIn: 2))
        case .chaining:
            return .chained(property, relation(), value(cell.kind), otherwise: chance.happens(oneIn: 2))
        case .orElse:
            let other = operand(cell, ofRows: true)
            return .compare(.orElse(first(term, cell.kind), other), relation(), .given(value(cell.kind)))
        case .sum(let sum) where cell.kind == .decimal:
            // Stores refuse a sum with a finer decimal, and a product with more than nine digits after the point.
            let factor = PlainValue.decimal(
                chance.pick([-1, 3, 1 << 40]), scale: isCondition ? 0 : chance.pick([0, 1, 7]))
            let given = cell.missing.isInOperand ? .missing : sum == .times ? factor : value(.decimal, ofRows: true)
            return .compare(.sum(term, sum, .given(given)), relation(), .given(value(.decimal)))
        case .sum(let sum):
            return .compare(.sum(first(term, cell.kind), sum, operand(cell)), relation(), .given(value(cell.kind)))
        }
    }

    /// The operand of a cell: nil if the cell requires it; otherwise a value, or sometimes another property.
    ///
    /// - Parameter ofRows: Whether a value is one that a row can have.
    private mutating func operand(_ cell: Cell, ofRows: Bool = false) -> Term {
        if cell.missing.isInOperand { return .given(.missing) }
        let other = Property.of(cell.kind, optional: false)
        switch Int.random(in: 0..<12, using: &chance) {
        case 0, 1, 2: if other != .id { return .property(other) }
        case 3: return .orElse(.property(.of(cell.kind, optional: true)), .given(value(cell.kind, ofRows: true)))
        case 4: if cell.kind.isNumber { return sum(.given(value(cell.kind)), cell.kind) }
        default: break
        }
        return .given(value(cell.kind, ofRows: ofRows))
    }

    /// The property, or sometimes a sum that contains it.
    private mutating func first(_ term: Term, _ kind: PlainKind) -> Term {
        kind.isNumber && chance.happens(oneIn: 5) ? sum(term, kind) : term
    }

    private mutating func sum(_ term: Term, _ kind: PlainKind) -> Term {
        let sums = kind == .real ? Sum.allCases.filter { $0 != .remainder } : Sum.allCases
        return .sum(term, chance.pick(sums), .given(value(kind)))
    }

    /// A text, often a short one that occurs in others.
    private mutating func part() -> PlainValue {
        chance.happens(oneIn: 3) ? value(.text) : .text(chance.pick(AwkwardValues.parts))
    }

    private mutating func value(_ kind: PlainKind, ofRows: Bool = false) -> PlainValue {
        chance.pick(ofRows || isCondition ? AwkwardValues.ofRows(kind) : AwkwardValues.of(kind))
    }

    private mutating func relation() -> Relation { chance.pick(Relation.allCases) }
}
