private import Synchronization

/// Something that one task says and others look at.
final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }

    func set() { value.store(true, ordering: .sequentiallyConsistent) }
}

/// So many times, shared by several tasks.
final class Countdown: Sendable {
    private let left: Atomic<Int>

    init(_ times: Int) { left = Atomic(times) }

    /// Whether there was one left, which is taken.
    func take() -> Bool { left.subtract(1, ordering: .sequentiallyConsistent).newValue >= 0 }

    var isOver: Bool { left.load(ordering: .sequentiallyConsistent) <= 0 }
}
