private import Synchronization

/// Gives each begin and each end a distinct moment. An event that ended before another began has the smaller moment.
final class HistoryClock: Sendable {
    private let ticks = Atomic<Int>(0)

    func tick() -> Int { ticks.add(1, ordering: .sequentiallyConsistent).newValue }
}
