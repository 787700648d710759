internal import LarderData

extension Condition {
    /// The question as the kit's condition; `nil` if the kit has no such condition.
    init?(_ question: PlainQuestion) throws {
        switch question {
        case .compare(let lhs, let relation, let rhs):
            self = try .compare(Operand(lhs), Comparison(relation), Operand(rhs))
        case .isAmong(let term, let values): self = try .isIn(Operand(term), Set(values.map { try Value($0) }))
        case .contains(let term, .given(.text(let part))): self = try .contains(Operand(term), part.composed)
        case .begins(let term, .given(.text(let part))): self = try .hasPrefix(Operand(term), part.composed)
        case .contains, .begins: return nil
        case .isEmpty(let term): self = try .compare(Operand(term), .equal, .literal(.text("")))
        case .isWithin(let term, let from, let to, let isClosed):
            let (operand, upper) = try (Operand(term), Operand.literal(Value(to)))
            self = try .and([
                .compare(operand, .greaterOrEqual, .literal(Value(from))),
                .compare(operand, isClosed ? .lessOrEqual : .less, upper),
            ])
        case .chained(let property, let relation, let value, let otherwise):
            let isMissing = Condition.compare(Operand(property), .equal, .literal(.null))
            let isSo = try Condition.compare(Operand(property), Comparison(relation), .literal(Value(value)))
            self = .or([.and([.not(isMissing), isSo]), .and([isMissing, .always(otherwise)])])
        case .all(let parts):
            guard let parts = try Self.each(parts) else { return nil }
            self = .and(parts)
        case .any(let parts):
            guard let parts = try Self.each(parts) else { return nil }
            self = .or(parts)
        case .not(let inner):
            guard let inner = try Condition(inner) else { return nil }
            self = .not(inner)
        }
    }

    private static func each(_ questions: [PlainQuestion]) throws -> [Condition]? {
        let conditions = try questions.compactMap { try Condition($0) }
        return conditions.count == questions.count ? conditions : nil
    }
}

extension Operand {
    init(_ property: Property) { self = property == .id ? .id : .column(property.rawValue) }

    fileprivate init(_ term: Term) throws {
        switch term {
        case .property(let property): self.init(property)
        case .given(let value): self = .literal(try Value(value))
        case .orElse(let first, let other): self = try .coalesce(Operand(first), Operand(other))
        case .sum(let lhs, .times, .given(.decimal(let factor, let scale))):
            // The product has the scale of the column.
            if scale != 0 { throw OnlyInPredicates() }
            self = try .arithmetic(Operand(lhs), .multiply, .literal(.integer(factor)))
        case .sum(let lhs, let sum, let rhs): self = try .arithmetic(Operand(lhs), Arithmetic(sum), Operand(rhs))
        }
    }
}

extension Comparison {
    fileprivate init(_ relation: Relation) {
        self =
            switch relation {
            case .equal: .equal
            case .notEqual: .notEqual
            case .less: .less
            case .lessOrEqual: .lessOrEqual
            case .greater: .greater
            case .greaterOrEqual: .greaterOrEqual
            }
    }
}

extension Arithmetic {
    fileprivate init(_ sum: Sum) {
        self =
            switch sum {
            case .plus: .add
            case .minus: .subtract
            case .times: .multiply
            case .by: .divide
            case .remainder: .remainder
            }
    }
}
