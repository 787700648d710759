#if Postgres
internal import Synchronization

/// The positions of the journal whose transactions are known to have ended, so that the server is not asked for them again,
/// nor for those of this store's concurrent commits.
final class PostgresSettlement: Sendable {
    private struct Wait {
        /// The numbers of the commits that have not ended since the wait began.
        var commits: Set<Int>
        let continuation: CheckedContinuation<Int64, Never>
    }

    private struct State {
        /// All transactions up to this position have ended.
        var position: Int64
        /// Later commits of this store.
        var later: Set<Int64> = []
        /// The numbers of this store's commits that have not ended.
        var commits: Set<Int> = []
        var numbers = 0
        /// By the positions of the waiting commits.
        var waits: [Int64: Wait] = [:]

        mutating func advance() {
            while later.remove(position + 1) != nil { position += 1 }
        }

        /// Removes the waits that have ended.
        mutating func endedWaits() -> [Wait] {
            let ended = waits.filter { $0.key <= position || $0.value.commits.isEmpty }
            for key in ended.keys { waits[key] = nil }
            return Array(ended.values)
        }
    }

    /// How long a commit waits for others, of which one may wait for a lock. Then, it asks the server.
    private static let patience = Duration.milliseconds(20)
    private let state: Mutex<State>

    init(_ position: Int64) { state = Mutex(State(position: position)) }

    /// All transactions up to this position have ended.
    var position: Int64 { state.withLock(\.position) }

    /// Begins a commit of this store. Returns its number.
    func begin() -> Int {
        state.withLock { state in
            state.numbers += 1
            state.commits.insert(state.numbers)
            return state.numbers
        }
    }

    /// Ends a commit of this store.
    ///
    /// - Parameter position: `nil` if it is not stored, or in doubt.
    func end(_ number: Int, at position: Int64?) {
        change { state in
            state.commits.remove(number)
            for key in state.waits.keys { state.waits[key]?.commits.remove(number) }
            if let position, position > state.position { state.later.insert(position) }
            state.advance()
        }
    }

    /// Waits for this store's concurrent commits for a short time, unless all transactions up to a position have ended.
    ///
    /// - Returns: The last position up to which all are known to have ended.
    func settled(upTo position: Int64) async -> Int64 {
        if state.withLock({ position <= $0.position || $0.commits.isEmpty }) { return self.position }
        let limit = Task {
            try? await Task.sleep(for: Self.patience)
            change { $0.waits[position]?.commits = [] }
        }
        defer { limit.cancel() }
        return await withCheckedContinuation { continuation in
            change { $0.waits[position] = Wait(commits: $0.commits, continuation: continuation) }
        }
    }

    /// Notes that all transactions up to a position have ended.
    func note(upTo position: Int64) {
        change { state in
            if position <= state.position { return }
            state.position = position
            state.later = state.later.filter { $0 > position }
            state.advance()
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let (ended, position) = state.withLock { state in
            body(&state)
            return (state.endedWaits(), state.position)
        }
        for wait in ended { wait.continuation.resume(returning: position) }
    }
}
#endif
