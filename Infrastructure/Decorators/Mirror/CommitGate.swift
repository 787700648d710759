private import Synchronization

/// Lets any number of commits run at the same time, or one task while no commit runs.
final class CommitGate: Sendable {
    private struct State {
        var running = 0
        var isExclusive = false
        var commits: [CheckedContinuation<Void, Never>] = []
        var exclusives: [CheckedContinuation<Void, Never>] = []

        /// Admits waiting tasks: after an exclusive task the commits, after the last commit an exclusive task.
        mutating func admit() -> [CheckedContinuation<Void, Never>] {
            guard running == 0, !isExclusive else { return [] }
            if !commits.isEmpty {
                defer { commits = [] }
                running = commits.count
                return commits
            }
            guard !exclusives.isEmpty else { return [] }
            isExclusive = true
            return [exclusives.removeFirst()]
        }
    }

    private let state = Mutex(State())

    /// Waits until commits may run. The caller calls ``leave()`` after its commit.
    func enter() async {
        await withCheckedContinuation { continuation in
            let isAdmitted = state.withLock { state in
                if state.isExclusive || !state.exclusives.isEmpty {
                    state.commits.append(continuation)
                    return false
                }
                state.running += 1
                return true
            }
            if isAdmitted { continuation.resume() }
        }
    }

    func leave() {
        let admitted = state.withLock { state in
            state.running -= 1
            // An exclusive task that waits is next: later commits must not delay it forever.
            if state.running == 0, !state.exclusives.isEmpty {
                state.isExclusive = true
                return [state.exclusives.removeFirst()]
            }
            return state.admit()
        }
        for continuation in admitted { continuation.resume() }
    }

    /// Runs a body while no commit runs.
    func alone<Result, Failure: Error>(_ body: () async throws(Failure) -> Result) async throws(Failure) -> Result {
        await withCheckedContinuation { continuation in
            let isAdmitted = state.withLock { state in
                if state.isExclusive || state.running > 0 {
                    state.exclusives.append(continuation)
                    return false
                }
                state.isExclusive = true
                return true
            }
            if isAdmitted { continuation.resume() }
        }
        defer {
            let admitted = state.withLock { state in
                state.isExclusive = false
                return state.admit()
            }
            for continuation in admitted { continuation.resume() }
        }
        return try await body()
    }
}
