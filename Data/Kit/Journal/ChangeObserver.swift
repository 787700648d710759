internal import LarderDomain
private import Synchronization

/// The position and the buffer of one stream. The stream owns it; the hub does not.
final class ChangeObserver: Sendable {
    private struct State {
        /// The position of the last delivered event.
        var position: Int64
        /// The end of a gap that must be the next event.
        var gap: Int64?
        /// The position of the last published commit.
        var newest: Int64
        /// Commits that were read from the journal, and precede those in the buffer.
        var backlog: ArraySlice<CommittedChanges> = []
        /// The latest commits, in commit order.
        var commits: ArraySlice<CommittedChanges> = []
        var isEnded: Bool
        /// The waiting readers, if there is nothing to deliver. Several share the events of the stream.
        var readers: [CheckedContinuation<Void, Never>] = []

        mutating func takeReaders() -> [CheckedContinuation<Void, Never>] {
            defer { readers = [] }
            return readers
        }
    }

    private enum Step {
        case deliver(ChangeEvent)
        /// Commits after a position, up to another one, are not in the buffer.
        case read(after: Int64, upTo: Int64)
        case wait
        case end
    }

    /// The number of commits that are read from the journal at once.
    private static let pageSize = 256
    private let lifetime: UInt64
    private let limit: Int
    private let state: Mutex<State>

    /// - Parameter position: The position after which the stream starts; `nil` starts with a gap.
    init(lifetime: UInt64, limit: Int, after position: Int64?, newest: Int64, isEnded: Bool) {
        (self.lifetime, self.limit) = (lifetime, limit)
        state = Mutex(
            State(
                position: position ?? newest, gap: position == nil ? newest : nil, newest: newest, isEnded: isEnded))
    }

    /// Notes the position of a commit, and buffers the commit. A commit that does not fit replaces the oldest, which
    /// can be read from the journal.
    func hear(upTo position: Int64, _ commit: CommittedChanges?) {
        let readers = state.withLock { state in
            if state.isEnded { return [CheckedContinuation<Void, Never>]() }
            state.newest = max(state.newest, position)
            if let commit { state.commits.append(commit) }
            if state.commits.count > limit { state.commits.removeFirst() }
            return state.takeReaders()
        }
        for reader in readers { reader.resume() }
    }

    func next(_ journal: ChangeHub.JournalReader?) async -> ChangeEvent? {
        while true {
            switch state.withLock({ step(&$0) }) {
            case .deliver(let event): return event
            case .read(let position, let end): await read(after: position, upTo: end, journal)
            case .wait: await wait()
            case .end: return nil
            }
        }
    }

    private func step(_ state: inout State) -> Step {
        if let gap = state.gap.take() {
            state.position = gap
            return .deliver(.gap(ChangeToken(lifetime: lifetime, position: gap)))
        }
        let position = state.position
        if let next = state.backlog.popFirst() {
            // An empty slice would keep its commits.
            if state.backlog.isEmpty { state.backlog = [] }
            state.position = next.token.position
            return .deliver(.commit(next))
        }
        while let first = state.commits.first, first.token.position <= position { state.commits.removeFirst() }
        if let first = state.commits.first {
            guard first.token.position == position + 1 else {
                return .read(after: position, upTo: first.token.position - 1)
            }
            state.commits.removeFirst()
            state.position = position + 1
            return .deliver(.commit(first))
        }
        if position < state.newest { return .read(after: position, upTo: state.newest) }
        return state.isEnded || Task.isCancelled ? .end : .wait
    }

    /// Reads missing commits, or delivers a gap next if the journal does not have them.
    private func read(after position: Int64, upTo end: Int64, _ journal: ChangeHub.JournalReader?) async {
        let found = await journal?(position, Int(min(end - position, Int64(Self.pageSize))))
        state.withLock { state in
            if found == nil, journal != nil, state.isEnded {
                // A closed store cannot be read. The next stream continues after the last delivered commit.
                (state.commits, state.newest) = ([], position)
                return
            }
            // Another reader of the stream has read the same commits.
            guard state.position == position, state.backlog.isEmpty, state.gap == nil else { return }
            let missing = (found ?? []).prefix { $0.token.position <= end }
            let contiguous = missing.enumerated().prefix { $1.token.position == position + 1 + Int64($0) }.count
            state.backlog = missing.prefix(contiguous)
            if contiguous == 0 { state.gap = missing.first.map { $0.token.position - 1 } ?? end }
        }
    }

    private func wait() async {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                let isIdle = state.gap == nil && state.commits.isEmpty && state.position == state.newest
                guard isIdle, !state.isEnded, !Task.isCancelled else { return false }
                state.readers.append(continuation)
                return true
            }
            if !waits { continuation.resume() }
        }
    }

    /// Ends the stream after the commits that were published.
    func finish() {
        let readers = state.withLock { state in
            state.isEnded = true
            return state.takeReaders()
        }
        for reader in readers { reader.resume() }
    }

    /// Ends the stream immediately, because its reader was cancelled.
    func end() {
        let readers = state.withLock { state in
            state.isEnded = true
            (state.backlog, state.commits) = ([], [])
            (state.gap, state.newest) = (nil, state.position)
            return state.takeReaders()
        }
        for reader in readers { reader.resume() }
    }
}
