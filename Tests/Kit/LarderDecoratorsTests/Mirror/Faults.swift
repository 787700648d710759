import LarderData
import LarderDomain
import Synchronization

/// Decides which calls of a store fail.
final class Faults: Sendable {
    enum Fault: Sendable {
        case none, before, afterwards
        /// The commit is in doubt, and not stored.
        case doubtful
    }

    private struct State {
        var isDown = false
        var holdsReads = false
        var heldReads = 0
        var holdsCommits = false
        var failingReads = 0
        var absent: Set<CommitID> = []
        var commits: @Sendable () -> Fault = { .none }
    }

    private let state = Mutex(State())

    /// Whether every call fails.
    var isDown: Bool {
        get { state.withLock(\.isDown) }
        set { state.withLock { $0.isDown = newValue } }
    }

    /// Whether reads wait until this is false, except those of a mirror's record.
    var holdsReads: Bool {
        get { state.withLock(\.holdsReads) }
        set { state.withLock { $0.holdsReads = newValue } }
    }

    /// Whether commits wait until this is false.
    var holdsCommits: Bool {
        get { state.withLock(\.holdsCommits) }
        set { state.withLock { $0.holdsCommits = newValue } }
    }

    /// The number of reads that have waited.
    var heldReads: Int { state.withLock(\.heldReads) }

    /// The percentage of reads that fail.
    func failReads(percent: Int) { state.withLock { $0.failingReads = percent } }

    func decideCommits(_ decide: @escaping @Sendable () -> Fault) { state.withLock { $0.commits = decide } }

    func note(absent id: CommitID) { state.withLock { _ = $0.absent.insert(id) } }

    /// Whether a commit was in doubt, and not stored.
    func isAbsent(_ id: CommitID) -> Bool { state.withLock { $0.absent.contains(id) } }

    func read(_ schema: EntitySchema) async throws(PersistencyError) {
        if schema.name != "larder_mirror", holdsReads {
            state.withLock { $0.heldReads += 1 }
            while holdsReads { try? await Task.sleep(for: .milliseconds(1)) }
        }
        let fails = state.withLock { $0.isDown || ($0.failingReads > 0 && .random(in: 0..<100) < $0.failingReads) }
        if fails { throw .down }
    }

    func commit() async throws(PersistencyError) -> Fault {
        while holdsCommits { try? await Task.sleep(for: .milliseconds(1)) }
        let (isDown, decide) = state.withLock { ($0.isDown, $0.commits) }
        let fault = decide()
        if isDown || fault == .before { throw .down }
        return fault
    }
}

extension PersistencyError {
    static let down = PersistencyError.unavailable(Unavailable(.failed, "the device is gone"))
}
