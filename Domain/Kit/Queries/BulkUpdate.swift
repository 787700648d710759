/// Changes of properties that apply to all entities of a query alike; see ``PersistencyManager/update(matching:_:)``.
///
/// ```swift
/// try await loans.update(matching: Query(#Predicate { $0.branch == branch })) {
///     $0.add(\.due, days: 7)
///     $0.set(\.isReminded, to: false)
/// }
/// ```
public struct BulkUpdate<E: Entity>: Sendable {
    /// The change of one property.
    public struct Assignment: Sendable {
        /// The property.
        public let property: any PartialKeyPath<E> & Sendable
        /// Its change.
        public let change: Change
    }

    /// A kind of change.
    public enum Change: Sendable {
        /// Replaces the value by one of the property's type.
        case set(any Sendable)
        /// Adds a number to an integer, or a number of days to a day.
        case add(Int)
        /// Adds a decimal.
        case addDecimal(ExactDecimal)
        /// Adds a duration to an instant.
        case addDuration(Duration)
    }

    /// The changes; of two of one property, the last applies.
    public private(set) var assignments: [Assignment] = []

    /// Creates an update without changes.
    public init() {}

    /// Replaces the value of a property.
    public mutating func set<V: Sendable>(_ property: any KeyPath<E, V> & Sendable, to value: V) {
        assignments.append(Assignment(property: property, change: .set(value)))
    }

    /// Adds a number.
    public mutating func add(_ property: any KeyPath<E, Int> & Sendable, _ amount: Int) {
        assignments.append(Assignment(property: property, change: .add(amount)))
    }

    /// Adds a number, unless the property is `nil`.
    public mutating func add(_ property: any KeyPath<E, Int?> & Sendable, _ amount: Int) {
        assignments.append(Assignment(property: property, change: .add(amount)))
    }

    /// Adds a decimal with at most the digits after the point that the property has.
    public mutating func add(_ property: any KeyPath<E, ExactDecimal> & Sendable, _ amount: ExactDecimal) {
        assignments.append(Assignment(property: property, change: .addDecimal(amount)))
    }

    /// Adds a decimal with at most the digits after the point that the property has, unless the property is `nil`.
    public mutating func add(_ property: any KeyPath<E, ExactDecimal?> & Sendable, _ amount: ExactDecimal) {
        assignments.append(Assignment(property: property, change: .addDecimal(amount)))
    }

    /// Adds a number of days.
    public mutating func add(_ property: any KeyPath<E, CalendarDay> & Sendable, days: Int) {
        assignments.append(Assignment(property: property, change: .add(days)))
    }

    /// Adds a number of days, unless the property is `nil`.
    public mutating func add(_ property: any KeyPath<E, CalendarDay?> & Sendable, days: Int) {
        assignments.append(Assignment(property: property, change: .add(days)))
    }

    /// Adds a duration, rounded to the nearest microsecond.
    public mutating func add(_ property: any KeyPath<E, Timestamp> & Sendable, _ duration: Duration) {
        assignments.append(Assignment(property: property, change: .addDuration(duration)))
    }

    /// Adds a duration, rounded to the nearest microsecond, unless the property is `nil`.
    public mutating func add(_ property: any KeyPath<E, Timestamp?> & Sendable, _ duration: Duration) {
        assignments.append(Assignment(property: property, change: .addDuration(duration)))
    }
}
