/// One property by which a query orders its entities.
public struct Sort<E: Entity>: Sendable {
    /// The property.
    public let keyPath: any PartialKeyPath<E> & Sendable
    /// Whether small comes first; `nil` is smaller than every value.
    public let order: SortDirection

    /// Orders by a property.
    public init<Value: Comparable>(_ keyPath: any KeyPath<E, Value> & Sendable, _ order: SortDirection = .ascending) {
        self.keyPath = keyPath
        self.order = order
    }

    /// Orders by a property that may be `nil`.
    public init<Value: Comparable>(_ keyPath: any KeyPath<E, Value?> & Sendable, _ order: SortDirection = .ascending) {
        self.keyPath = keyPath
        self.order = order
    }
}

/// Whether small or great comes first. Not `SortOrder`, the name of Foundation's type, which predicates import.
public enum SortDirection: Sendable, Hashable {
    /// Small first, `nil` before all.
    case ascending
    /// Great first, `nil` after all.
    case descending
}
