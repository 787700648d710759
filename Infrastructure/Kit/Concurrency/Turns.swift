internal import Synchronization

/// Says when others should get a turn: short work that never waits would keep the cooperative pool to itself.
final class Turns: Sendable {
    private static let length = 64

    private let count = Atomic(0)

    /// Counts one piece of work.
    ///
    /// - Returns: Whether the turn ends with it.
    func didWork() -> Bool { count.wrappingAdd(1, ordering: .relaxed).newValue % Self.length == 0 }
}
