#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderDomain

extension PredicateExpressions.Variable: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered { try lowering.meaning(of: key) }
}

extension PredicateExpressions.NilLiteral: LowerableExpression {
    func lowered(by lowering: Lowering) -> Lowered {
        Wrapped.self == ExactDecimal.self ? .decimal(DecimalOperand(nil)) : .operand(.literal(.null))
    }
}

extension PredicateExpressions.Value: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        try .captured(value, in: self)
    }
}

extension PredicateExpressions.KeyPath: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        if let value = capturedValue { return try .captured(value, in: self) }
        // A part of a value object is a member, by its whole key path.
        if let (base, path) = memberPath, case .object(let members) = try lowering.lower(base),
            let member = members[path]
        {
            return member.lowered(at: path, in: members)
        }
        switch (try lowering.lower(root), kind) {
        case (.object, _): throw .unsupportedQuery("\(keyPath.displayName) is not stored")
        case (.links(let index), .collectionCount): return .operand(.linkCount(index))
        case (.children(let index, _), .collectionCount): return .operand(.childCount(index))
        case (.links(let index), .collectionIsEmpty): return .isEmpty(.linkCount(index))
        case (.children(let index, _), .collectionIsEmpty): return .isEmpty(.childCount(index))
        case (.operand(let text), .collectionIsEmpty) where Root.Output.self == String.self:
            return .truth(.compare(text, .equal, .literal(.text(""))))
        default: throw .unsupported(self, "\(keyPath.displayName) is not stored; a text supports only isEmpty")
        }
    }
}

extension EntityMember {
    fileprivate func lowered(at path: AnyKeyPath, in members: KeyPathTable) -> Lowered {
        switch self {
        case .id: .operand(.id)
        case .column(let index, nil): .operand(.column(index))
        case .column(let index, let scale?): .decimal(DecimalOperand(.column(index), scale: scale))
        case .links(let index): .links(index)
        case .value(let presence): .value(presence: .column(presence), members.parts(of: path))
        case .children(let index, let members): .children(index, members)
        }
    }
}

/// A node that is a key path from another expression.
private protocol MemberExpression {
    var memberPath: (base: any PredicateExpression, keyPath: AnyKeyPath)? { get }
}

extension PredicateExpressions.KeyPath: MemberExpression {
    /// The base expression of a chain of key paths, and the whole key path from it.
    fileprivate var memberPath: (base: any PredicateExpression, keyPath: AnyKeyPath)? {
        guard let root = root as? any MemberExpression else { return (root, keyPath) }
        guard let (base, path) = root.memberPath, let path = path.joined(keyPath) else { return nil }
        return (base, path)
    }
}

/// A node whose value depends on no variable.
private protocol CapturedExpression<Output> {
    associatedtype Output
    var capturedValue: Output? { get }
}

extension PredicateExpressions.Value: CapturedExpression {
    fileprivate var capturedValue: Output? { value }
}

extension PredicateExpressions.KeyPath: CapturedExpression {
    /// A member of a captured value, such as `limits.first`, is also captured.
    fileprivate var capturedValue: Output? {
        guard let root = root as? any CapturedExpression<Root.Output>, let value = root.capturedValue else {
            return nil
        }
        return value[keyPath: keyPath]
    }
}

extension Lowered {
    fileprivate static func isEmpty(_ count: Operand) -> Lowered {
        .truth(.compare(count, .equal, .literal(.integer(0))))
    }

    /// A captured value: a column value, a range, or a collection of column values.
    fileprivate static func captured<V>(
        _ value: V, in expression: some PredicateExpression
    ) throws(PersistencyError) -> Lowered {
        do {
            if let type = V.self as? any ColumnValue.Type {
                return .operand(.literal(try columnValue(of: value, as: type)))
            }
            if let type = V.self as? any DecimalValue.Type { return .decimal(DecimalOperand(decimal(value, as: type))) }
            if let range = value as? any CapturedRange { return try range.lowered() }
            if let elements = value as? any Sequence, let decimals = decimals(elements) { return .decimals(decimals) }
            if let elements = value as? any Sequence {
                return .collection(
                    try elements.map { (element: Any) throws -> Value in
                        guard let element = element as? any ColumnValue else {
                            throw ValueRefusal("not a column value")
                        }
                        return try element.columnValue()
                    })
            }
        } catch {
            throw .unsupported(expression, (error as? ValueRefusal)?.reason)
        }
        throw .unsupported(expression, "no column has the type \(V.self)")
    }

    /// Casts to the static type, because the dynamic cast of an empty optional would lose the optional type.
    private static func columnValue<C: ColumnValue>(of value: Any, as type: C.Type) throws -> Value {
        guard let value = value as? C else { throw ValueRefusal("not of type \(C.self)") }
        return try value.columnValue()
    }
}

extension Lowered {
    /// Casts to the static type, as for column values.
    private static func decimal<D: DecimalValue>(_ value: Any, as type: D.Type) -> ExactDecimal? {
        (value as? D)?.exactDecimal
    }

    /// `nil` for elements of other types.
    private static func decimals<S: Sequence>(_ elements: S) -> [ExactDecimal?]? {
        guard let type = S.Element.self as? any DecimalValue.Type else { return nil }
        return elements.map { decimal($0, as: type) }
    }
}

private protocol CapturedRange<Bound> {
    associatedtype Bound
    var bounds: (lower: Bound?, upper: Bound?, includesUpper: Bool) { get }
}

extension CapturedRange {
    fileprivate func lowered() throws -> Lowered {
        let (lower, upper, includesUpper) = bounds
        func literal(_ bound: Bound) throws -> Lowered {
            if let decimal = bound as? ExactDecimal { return .decimal(DecimalOperand(decimal)) }
            guard let value = bound as? any ColumnValue else {
                throw ValueRefusal("no column has the type \(Bound.self)")
            }
            return .operand(.literal(try value.columnValue()))
        }
        return .range(lower: try lower.map(literal), upper: try upper.map(literal), includesUpper: includesUpper)
    }
}

extension Range: CapturedRange {
    fileprivate var bounds: (lower: Bound?, upper: Bound?, includesUpper: Bool) { (lowerBound, upperBound, false) }
}

extension ClosedRange: CapturedRange {
    fileprivate var bounds: (lower: Bound?, upper: Bound?, includesUpper: Bool) { (lowerBound, upperBound, true) }
}

extension PartialRangeFrom: CapturedRange {
    fileprivate var bounds: (lower: Bound?, upper: Bound?, includesUpper: Bool) { (lowerBound, nil, false) }
}

extension PartialRangeUpTo: CapturedRange {
    fileprivate var bounds: (lower: Bound?, upper: Bound?, includesUpper: Bool) { (nil, upperBound, false) }
}

extension PartialRangeThrough: CapturedRange {
    fileprivate var bounds: (lower: Bound?, upper: Bound?, includesUpper: Bool) { (nil, upperBound, true) }
}
