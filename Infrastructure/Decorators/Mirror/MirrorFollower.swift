internal import LarderData
internal import LarderDomain
private import Synchronization

/// Applies the commits of a primary to one mirror, one after the other, in the order of the primary's journal.
///
/// The calls follow each other: ``prepare()``, ``catchUp()``, then ``follow()``.
actor MirrorFollower {
    nonisolated let mirror: MirroredStore.Member
    nonisolated let pending = PendingCommits()
    let primary: MirroredStore.Member
    let gate: CommitGate
    let board: MirrorBoard
    private let index: Int
    private let report: @Sendable (MirrorStatus) -> Void
    var record = MirrorRecord()

    /// The delays between attempts to reach a mirror that has failed.
    private static let delays: (first: Duration, longest: Duration) = (.milliseconds(50), .seconds(5))

    init(
        _ mirror: MirroredStore.Member, at index: Int, of primary: MirroredStore.Member, _ gate: CommitGate,
        _ board: MirrorBoard, report: @escaping @Sendable (MirrorStatus) -> Void
    ) {
        (self.mirror, self.index, self.primary, self.gate) = (mirror, index, primary, gate)
        (self.board, self.report) = (board, report)
    }

    nonisolated var status: MirrorStatus {
        MirrorStatus(
            name: mirror.name, position: board.position(of: index), missing: board.missing(in: index),
            trouble: board.trouble(of: index))
    }

    /// Whether the mirror has all commits that the primary has shown or acknowledged.
    nonisolated var isCurrent: Bool { board.trouble(of: index) == nil && pending.isEmpty }

    func note(_ trouble: PersistencyError?) {
        board.note(index, trouble: trouble)
        report(status)
    }

    /// Follows the journal until the primary is closed or the task is cancelled. A mirror that fails is tried again;
    /// one with other data than its record states is not.
    func follow() async {
        var delay = Self.delays.first
        while !Task.isCancelled {
            do {
                try await resume()
                delay = Self.delays.first
                try await applyJournal()
                break
            } catch  where error.isTransient {
                note(error)
                // A cancelled task ends the loop.
                try? await Task.sleep(for: delay)
                delay = min(delay * 2, Self.delays.longest)
            } catch {
                return note(error)
            }
        }
        board.note(index, trouble: .closed)
    }

    /// Reads the record again after a failure, because a commit in doubt may be stored.
    private func resume() async throws(PersistencyError) {
        guard board.trouble(of: index) != nil else { return }
        try await prepare()
        note(nil)
    }

    private func applyJournal() async throws(PersistencyError) {
        for await event in await primary.store.changes(after: record.source) {
            // A catch-up may already have applied it.
            if let source = record.source, event.token.position <= source.position { continue }
            guard case .commit(let commit) = event else { throw .stale(mirror.name, primary.name) }
            if let changes = pending.changes(of: commit) {
                try await apply(changes, at: commit.token)
                pending.remove(commit.id)
            } else {
                try await catchUp()
            }
        }
    }

    /// Applies a commit of the primary with its id, so that ``Store/outcome(of:)`` of a promoted mirror finds it.
    private func apply(_ changes: ChangeSet, at token: ChangeToken) async throws(PersistencyError) {
        var changes = changes
        // The primary has checked them.
        changes.reads = []
        if changes.byteCount > ChangeSet.byteLimit - 1024 {
            // The record does not fit into the change set.
            try await store(.changing, at: record.source)
            _ = try await mirror.store.commit(changes)
            try await store(.mirror, at: token)
        } else {
            try await commit(&changes, as: .mirror, at: token)
        }
        board.note(index, at: token.position)
    }

    /// Stores a new position without other changes.
    func store(_ role: MirrorRecord.Role, at token: ChangeToken?) async throws(PersistencyError) {
        var changes = ChangeSet()
        try await commit(&changes, as: role, at: token)
    }

    /// Commits changes together with the position.
    func commit(
        _ changes: inout ChangeSet, as role: MirrorRecord.Role, at token: ChangeToken?
    ) async throws(PersistencyError) {
        var next = record
        (next.role, next.source) = (role, token)
        next.add(to: &changes)
        _ = try await mirror.store.commit(changes)
        record = next
    }

    /// Notes that the mirror has all commits up to a position.
    func reached(_ token: ChangeToken) { board.note(index, at: token.position) }
}

extension PersistencyError {
    /// Whether the same commit to a mirror may succeed later. All other errors mean that its data differs.
    var isTransient: Bool {
        switch self {
        case .unavailable, .inDoubt, .contention, .alreadyOpen, .cancelled: true
        default: false
        }
    }

    /// The advice for a store that cannot be used as a mirror.
    static var movingAway: String { "move it away; an empty store in its place is filled with a copy" }

    static func stale(_ mirror: String, _ primary: String) -> PersistencyError {
        .incompatible(
            "\(mirror) is too far behind \(primary) to catch up from its journal: \(movingAway)")
    }
}
