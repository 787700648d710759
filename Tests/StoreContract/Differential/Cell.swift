/// The operation in a part of a query.
enum Operator: Hashable, Sendable {
    case relation(Relation)
    case among, contains, begins, isEmpty, range, chaining, orElse
    case sum(Sum)

    static let all: [Operator] =
        Relation.allCases.map { .relation($0) } + [.among, .contains, .begins, .isEmpty, .range, .chaining, .orElse]
        + Sum.allCases.map { .sum($0) }
}

/// The place of a nil in a part of a query: in some of the rows, in the operand, or in both.
enum Missing: CaseIterable, Hashable, Sendable {
    case nowhere, value, operand, both

    var isInRows: Bool { self == .value || self == .both }
    var isInOperand: Bool { self == .operand || self == .both }
}

/// One combination that a run must cover: an operator, a kind of values, and the place of a nil.
struct Cell: Hashable, Sendable {
    let `operator`: Operator
    let kind: PlainKind
    let missing: Missing

    /// All meaningful cells.
    static let all: [Cell] = Operator.all.flatMap { name in
        PlainKind.allCases.flatMap { kind in
            Missing.allCases.map { Cell(operator: name, kind: kind, missing: $0) }
        }
    }.filter(\.isPossible)

    private var isPossible: Bool {
        switch `operator` {
        case .relation, .among: true
        case .contains, .begins, .isEmpty: kind == .text && !missing.isInOperand
        case .range: kind.isOrdered && !missing.isInOperand
        case .chaining: missing == .value
        case .orElse: missing.isInRows
        case .sum(.remainder): kind == .integer
        case .sum(.by): kind.isNumber
        case .sum: kind.isNumber || kind == .decimal
        }
    }
}

extension Operator: CustomStringConvertible {
    var description: String {
        switch self {
        case .relation(let relation): relation.rawValue
        case .among: "in"
        case .contains: "contains"
        case .begins: "begins"
        case .isEmpty: "isEmpty"
        case .range: "range"
        case .chaining: "?."
        case .orElse: "??"
        case .sum(let sum): sum.rawValue
        }
    }
}
