private import Synchronization

/// Gives every begin and every end a moment of its own: an event that ended before another one began has the smaller.
final class HistoryClock: Sendable {
    private let ticks = Atomic<Int>(0)

    func tick() -> Int { ticks.add(1, ordering: .sequentiallyConsistent).newValue }
}
