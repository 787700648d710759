/// One sort key of a query.
public struct Sort<E: Entity>: Sendable {
    /// The property.
    public let keyPath: any PartialKeyPath<E> & Sendable
    /// The direction; `nil` is smaller than every value.
    public let order: SortDirection

    /// Sorts by a property.
    public init<Value: Comparable>(_ keyPath: any KeyPath<E, Value> & Sendable, _ order: SortDirection = .ascending) {
        self.keyPath = keyPath
        self.order = order
    }

    /// Sorts by an optional property.
    public init<Value: Comparable>(_ keyPath: any KeyPath<E, Value?> & Sendable, _ order: SortDirection = .ascending) {
        self.keyPath = keyPath
        self.order = order
    }

    /// Sorts by a part of an optional value object: `Sort(\.delivery, part: \.city)`.
    public init<Whole, Value: Comparable>(
        _ keyPath: any KeyPath<E, Whole?> & Sendable, part: any KeyPath<Whole, Value> & Sendable,
        _ order: SortDirection = .ascending
    ) {
        (self.keyPath, self.order) = (keyPath.part(part), order)
    }

    /// Sorts by an optional part of an optional value object.
    public init<Whole, Value: Comparable>(
        _ keyPath: any KeyPath<E, Whole?> & Sendable, part: any KeyPath<Whole, Value?> & Sendable,
        _ order: SortDirection = .ascending
    ) {
        (self.keyPath, self.order) = (keyPath.part(part), order)
    }
}

/// The direction of a sort key. Not `SortOrder`, the name of a Foundation type, which files with predicates import.
public enum SortDirection: Sendable, Hashable {
    /// Smallest first, `nil` before all values.
    case ascending
    /// Largest first, `nil` after all values.
    case descending
}
