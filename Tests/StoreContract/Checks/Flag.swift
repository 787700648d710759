private import Synchronization

/// A flag that one task sets and other tasks read.
final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }

    func set() { value.store(true, ordering: .sequentiallyConsistent) }
}

/// A number of permits, shared by several tasks.
final class Countdown: Sendable {
    private let left: Atomic<Int>

    init(_ times: Int) { left = Atomic(times) }

    /// Takes one permit. False if none is left.
    func take() -> Bool { left.subtract(1, ordering: .sequentiallyConsistent).newValue >= 0 }

    var isOver: Bool { left.load(ordering: .sequentiallyConsistent) <= 0 }
}
