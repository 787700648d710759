#if Postgres
internal import Synchronization

/// The positions of the journal whose transactions are known to have ended, so that they are not asked for again.
final class PostgresSettlement: Sendable {
    private struct State {
        /// All transactions up to this position have ended.
        var position: Int64
        /// Later commits of this store.
        var later: Set<Int64> = []

        mutating func advance() {
            while later.remove(position + 1) != nil { position += 1 }
        }
    }

    private let state: Mutex<State>

    init(_ position: Int64) { state = Mutex(State(position: position)) }

    /// All transactions up to this position have ended.
    var position: Int64 { state.withLock(\.position) }

    /// Notes a commit of this store. Returns the last position before which nothing is missing.
    func note(_ commit: Int64) -> Int64 {
        state.withLock { state in
            if commit > state.position { state.later.insert(commit) }
            state.advance()
            return state.position
        }
    }

    /// Notes that all transactions up to a position have ended.
    func note(upTo position: Int64) {
        state.withLock { state in
            if position <= state.position { return }
            state.position = position
            state.later = state.later.filter { $0 > position }
            state.advance()
        }
    }
}
#endif
