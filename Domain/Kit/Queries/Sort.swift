/// One property by which a query orders its entities.
public struct Sort<E: Entity>: Sendable {
    /// The property.
    public let keyPath: any PartialKeyPath<E> & Sendable
    /// Whether small comes first; `nil` is smaller than every value.
    public let order: SortOrder

    /// Orders by a property.
    public init<Value: Comparable>(_ keyPath: any KeyPath<E, Value> & Sendable, _ order: SortOrder = .ascending) {
        self.keyPath = keyPath
        self.order = order
    }

    /// Orders by a property that may be `nil`.
    public init<Value: Comparable>(_ keyPath: any KeyPath<E, Value?> & Sendable, _ order: SortOrder = .ascending) {
        self.keyPath = keyPath
        self.order = order
    }
}

/// Whether small or great comes first.
public enum SortOrder: Sendable, Hashable {
    /// Small first, `nil` before all.
    case ascending
    /// Great first, `nil` after all.
    case descending
}
