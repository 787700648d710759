private import Synchronization

/// Gives each begin and each end a moment. An event that ended before another began has the smaller moment.
final class HistoryClock: Sendable {
    private let ticks = Atomic<Int>(0)
    private let now: (@Sendable () -> Int)?

    /// - Parameter now: A clock that all processes of a history share; by default, moments are counted.
    init(_ now: (@Sendable () -> Int)? = nil) { self.now = now }

    func tick() -> Int { now?() ?? ticks.add(1, ordering: .sequentiallyConsistent).newValue }
}
