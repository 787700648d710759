internal import LarderDomain
private import Synchronization

/// The positions of all mirrors of a store, and the commits that wait for them.
final class MirrorBoard: Sendable {
    private struct Waiter {
        let position: Int64
        let count: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        /// The position of the primary.
        var end: Int64 = 0
        var positions: [Int64]
        /// The reason why a mirror does not follow at present.
        var troubles: [PersistencyError?]
        var waiters: [Waiter] = []
        /// Commits in the primary that too few mirrors have, with their positions.
        var unacknowledged: [CommitID: Int64] = [:]
        /// Commits of which the primary did not know whether it has stored them.
        var doubts: Set<CommitID> = []

        func reached(_ position: Int64) -> Int { positions.count { $0 >= position } }

        /// The answer to a waiter; `nil` if it must still wait.
        func answer(_ waiter: Waiter) -> Bool? {
            if reached(waiter.position) >= waiter.count { return true }
            let possible = positions.indices.count { positions[$0] >= waiter.position || troubles[$0] == nil }
            return possible < waiter.count ? false : nil
        }
    }

    private let required: Int
    private let state: Mutex<State>

    /// - Parameter required: The number of mirrors that must have a commit before it is acknowledged.
    init(mirrors: Int, required: Int) {
        self.required = required
        let (positions, troubles) = (
            [Int64](repeating: 0, count: mirrors), [PersistencyError?](repeating: nil, count: mirrors)
        )
        state = Mutex(State(positions: positions, troubles: troubles))
    }

    func position(of mirror: Int) -> Int64 { state.withLock { $0.positions[mirror] } }

    /// The number of the primary's commits that a mirror does not have.
    func missing(in mirror: Int) -> Int64 { state.withLock { max(0, $0.end - $0.positions[mirror]) } }

    func trouble(of mirror: Int) -> PersistencyError? { state.withLock { $0.troubles[mirror] } }

    /// The number of mirrors that follow at present.
    var healthyCount: Int { state.withLock { $0.troubles.count { $0 == nil } } }

    /// Notes that the primary has all commits up to a position.
    func note(end position: Int64) { state.withLock { $0.end = max($0.end, position) } }

    /// Notes that a mirror has all commits up to a position.
    func note(_ mirror: Int, at position: Int64) {
        change { state in
            state.positions[mirror] = position
            let acknowledged = state.unacknowledged.filter { state.reached($0.value) >= self.required }
            for id in acknowledged.keys { state.unacknowledged[id] = nil }
        }
    }

    /// Notes that a mirror has failed, or follows again.
    func note(_ mirror: Int, trouble: PersistencyError?) {
        change { $0.troubles[mirror] = trouble }
    }

    private func change(_ body: (inout State) -> Void) {
        let answered = state.withLock { state in
            body(&state)
            let answers = state.waiters.map { ($0, state.answer($0)) }
            state.waiters = answers.filter { $0.1 == nil }.map(\.0)
            return answers
        }
        for (waiter, answer) in answered {
            if let answer { waiter.continuation.resume(returning: answer) }
        }
    }

    /// Waits until enough mirrors have a position. Cancellation does not end the wait: the commit is already stored.
    ///
    /// - Parameter count: The number of mirrors.
    /// - Returns: Whether they have it; false as soon as too few of them follow.
    private func wait(for position: Int64, in count: Int) async -> Bool {
        await withCheckedContinuation { continuation in
            let waiter = Waiter(position: position, count: count, continuation: continuation)
            let answer = state.withLock { state in
                let answer = state.answer(waiter)
                if answer == nil { state.waiters.append(waiter) }
                return answer
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Notes that a commit begins: its outcome is unknown until the required mirrors have it.
    func begin(_ id: CommitID) { state.withLock { if $0.unacknowledged[id] == nil { $0.unacknowledged[id] = .max } } }

    /// Notes that the primary has not stored a commit that began, or does not know whether it has.
    func abandon(_ id: CommitID) {
        state.withLock { if $0.unacknowledged[id] == .max { $0.unacknowledged[id] = nil } }
    }

    /// Waits until the required mirrors have a commit; see ``isUnacknowledged(_:)``.
    func acknowledge(_ id: CommitID, at position: Int64) async -> Bool {
        state.withLock { $0.unacknowledged[id] = position }
        guard await wait(for: position, in: required) else { return false }
        state.withLock { $0.unacknowledged[id] = nil }
        return true
    }

    /// Whether a commit is in the primary, but not in as many mirrors as required.
    func isUnacknowledged(_ id: CommitID) -> Bool { state.withLock { $0.unacknowledged[id] != nil } }

    /// The commits in doubt. Each waits for mirrors until its outcome is known.
    var doubts: Set<CommitID> { state.withLock(\.doubts) }

    func note(doubt id: CommitID) { state.withLock { _ = $0.doubts.insert(id) } }

    /// Ends a doubt.
    ///
    /// - Returns: Whether the commit was in doubt.
    func end(doubt id: CommitID) -> Bool { state.withLock { $0.doubts.remove(id) != nil } }

    /// Waits until each mirror has a position, or does not follow.
    func drain(to position: Int64) async {
        for count in 1...max(1, state.withLock(\.positions.count)) { _ = await wait(for: position, in: count) }
    }
}
