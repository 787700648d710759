extension Inquiry {
    /// The inquiry with other conditions.
    func asking(_ parts: [PlainQuestion]) -> Inquiry {
        Inquiry(
            parts: parts, cells: cells, order: order, limit: limit, includesTotal: includesTotal, grouping: grouping,
            prefersPredicates: prefersPredicates)
    }

    /// Lists of conditions. Each row satisfies all conditions of exactly one element of each partition.
    ///
    /// A condition is true or false, and its negation the opposite, also for a missing value and for an overflow: there
    /// is no third value. A comparison and the opposite one are both false where an operand is undefined, so they need a
    /// third part: a missing value, or, for arithmetic, the negations of both.
    var partitions: [[[PlainQuestion]]] {
        let chain = parts.indices.map { parts[..<$0] + [.not(parts[$0])] } + [parts]
        // One fixed condition, because each pair of shapes of predicates is a type for the lifetime of the process.
        let isFlagged = PlainQuestion.compare(.property(.flag), .equal, .given(.flag(true)))
        let leaf = parts.first?.leaf ?? isFlagged
        let joined: [[PlainQuestion]] = [[.any([leaf, isFlagged])], [.all([.not(leaf), .not(isFlagged)])]]
        return [chain, joined] + (leaf.withUndefined.map { [$0] } ?? [])
    }
}

extension PlainQuestion {
    /// The first condition within this one that is not composed of others.
    fileprivate var leaf: PlainQuestion? {
        switch self {
        case .all(let parts), .any(let parts): parts.first?.leaf
        case .not(let inner): inner.leaf
        default: self
        }
    }

    /// A partition into a true, a false and an undefined part, which may be empty; `nil` for other conditions.
    fileprivate var withUndefined: [[PlainQuestion]]? {
        func isMissing(_ property: Property) -> PlainQuestion {
            .compare(.property(property), .equal, .given(.missing))
        }
        switch self {
        case .compare(let lhs, let relation, let rhs):
            let opposite = PlainQuestion.compare(lhs, relation.opposite, rhs)
            guard case .property(let property) = lhs, rhs.isDefined else {
                return [[self], [opposite], [.not(self), .not(opposite)]]
            }
            let hasThird = property.isOptional && !relation.isOfEquality
            return [[self], [opposite]] + (hasThird ? [[isMissing(property)]] : [])
        case .chained(let property, let relation, let value, _):
            let isTrue = PlainQuestion.chained(property, relation, value, otherwise: false)
            let isNotFalse = PlainQuestion.chained(property, relation, value, otherwise: true)
            return [[isTrue], [.not(isNotFalse)], [isMissing(property)]]
        default: return nil
        }
    }
}

extension Term {
    /// Whether each row has a value.
    fileprivate var isDefined: Bool {
        switch self {
        case .property(let property): !property.isOptional
        case .given(let value): value != .missing
        case .orElse, .sum: false
        }
    }
}

extension Relation {
    fileprivate var opposite: Relation {
        switch self {
        case .equal: .notEqual
        case .notEqual: .equal
        case .less: .greaterOrEqual
        case .lessOrEqual: .greater
        case .greater: .lessOrEqual
        case .greaterOrEqual: .less
        }
    }
}
