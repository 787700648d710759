/// A figure of a group of entities: their number, or the sum, average, minimum or maximum of a property.
public struct Aggregate<E: Entity, Result: Sendable>: Sendable {
    package enum Figure: Sendable {
        case count(@Sendable (Int) -> Result)
        /// Receives the sum, its number of digits after the point, and the number of values.
        case sum(@Sendable (Int64, Int?, Int) -> Result)
        /// The least or greatest value: its type, and the result for it, or for none.
        case extreme(Extreme, of: any Sendable.Type, @Sendable ((any Sendable)?) -> Result?)
    }

    package enum Extreme: Sendable { case minimum, maximum }

    package let figure: Figure
    /// The property; `nil` for the number of entities.
    package let keyPath: (any PartialKeyPath<E> & Sendable)?
}

extension Aggregate where Result == Int {
    /// The number of entities.
    public static var count: Aggregate { Aggregate(figure: .count { $0 }, keyPath: nil) }
}

extension Aggregate {
    /// The exact sum of the values that are not `nil`; 0 without any.
    ///
    /// The query throws `unsupportedQuery` for a sum beyond 64 bits; only the final sum counts [figure.1].
    public static func sum<V: Summable>(_ keyPath: any KeyPath<E, V> & Sendable) -> Aggregate where Result == V.Sum {
        Aggregate(figure: .sum { units, scale, _ in V.sum(units, scale) }, keyPath: keyPath)
    }

    /// The sum of a part of an optional value object.
    public static func sum<Whole, V: Summable>(
        _ keyPath: any KeyPath<E, Whole?> & Sendable, part: any KeyPath<Whole, V> & Sendable
    ) -> Aggregate where Result == V.Sum {
        Aggregate(figure: .sum { units, scale, _ in V.sum(units, scale) }, keyPath: keyPath.part(part))
    }

    /// The sum and the number of the values that are not `nil`, whose quotient the caller rounds as the domain requires.
    public static func average<V: Summable>(_ keyPath: any KeyPath<E, V> & Sendable) -> Aggregate
    where Result == SumOfValues<V.Sum> {
        Aggregate(
            figure: .sum { units, scale, count in SumOfValues(sum: V.sum(units, scale), count: count) },
            keyPath: keyPath)
    }

    /// The least value; `nil` without any.
    public static func minimum<V: Comparable & Sendable>(_ keyPath: any KeyPath<E, V> & Sendable) -> Aggregate
    where Result == V? {
        extreme(.minimum, keyPath)
    }

    /// The least value that is not `nil`; `nil` without any.
    public static func minimum<V: Comparable & Sendable>(_ keyPath: any KeyPath<E, V?> & Sendable) -> Aggregate
    where Result == V? {
        extreme(.minimum, keyPath)
    }

    /// The greatest value; `nil` without any.
    public static func maximum<V: Comparable & Sendable>(_ keyPath: any KeyPath<E, V> & Sendable) -> Aggregate
    where Result == V? {
        extreme(.maximum, keyPath)
    }

    /// The greatest value that is not `nil`; `nil` without any.
    public static func maximum<V: Comparable & Sendable>(_ keyPath: any KeyPath<E, V?> & Sendable) -> Aggregate
    where Result == V? {
        extreme(.maximum, keyPath)
    }

    private static func extreme<V: Sendable>(
        _ extreme: Extreme, _ keyPath: any PartialKeyPath<E> & Sendable
    ) -> Aggregate where Result == V? {
        let figure = Figure.extreme(extreme, of: V.self) { value in
            guard let value else { return .some(nil) }
            return (value as? V).map(Optional.some)
        }
        return Aggregate(figure: figure, keyPath: keyPath)
    }

    /// Unavailable: databases add reals in different precisions and orders. Add the values of the entities instead.
    @available(*, unavailable, message: "stores add reals differently; add the values of the entities, or use decimals")
    public static func sum(_ keyPath: any KeyPath<E, Double> & Sendable) -> Aggregate where Result == Double {
        Aggregate(figure: .count { _ in .zero }, keyPath: nil)
    }
}

/// A sum, and the number of its values.
public struct SumOfValues<Sum: Hashable & Sendable>: Hashable, Sendable {
    /// The sum.
    public let sum: Sum
    /// The number of values.
    public let count: Int

    /// Creates the sum of a number of values.
    public init(sum: Sum, count: Int) {
        (self.sum, self.count) = (sum, count)
    }
}

/// A type of properties with exact sums: integers, decimals and durations.
public protocol Summable: Sendable {
    /// The type of sums.
    associatedtype Sum: Hashable & Sendable

    /// The sum of a number of units, with a scale for decimals.
    static func sum(_ units: Int64, _ scale: Int?) -> Sum
}

extension FixedWidthInteger where Self: Summable {
    /// The sum as an integer of 64 bits.
    public static func sum(_ units: Int64, _ scale: Int?) -> Int { Int(units) }
}

extension Int: Summable {}
extension Int64: Summable {}
extension Int32: Summable {}
extension UInt32: Summable {}
extension UInt64: Summable {}

extension Duration: Summable {
    /// The sum of microseconds.
    public static func sum(_ units: Int64, _ scale: Int?) -> Duration { .microseconds(units) }
}

extension ExactDecimal: Summable {
    /// The sum in units of the scale.
    public static func sum(_ units: Int64, _ scale: Int?) -> ExactDecimal {
        ExactDecimal(units: units, scale: scale ?? 0)
    }
}

extension Optional: Summable where Wrapped: Summable {
    /// The sum of the wrapped values.
    public static func sum(_ units: Int64, _ scale: Int?) -> Wrapped.Sum { Wrapped.sum(units, scale) }
}
