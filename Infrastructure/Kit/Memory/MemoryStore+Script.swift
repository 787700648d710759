public import LarderData
public import LarderDomain
private import Synchronization

extension MemoryStore {
    /// Scripts the failures of a store for a test, and records its calls.
    ///
    /// ```swift
    /// let script = MemoryStore.Script()
    /// script.failCommit(number: 2, with: .unavailable(Unavailable(.full, "the disk is full")))
    /// let store = MemoryStore(schemas, script: script)
    /// ```
    public final class Script: Sendable {
        /// A call to the store.
        public enum Call: Sendable {
            /// A read by ids.
            case read([RawID], of: EntitySchema)
            /// A read or a count by condition.
            case query(ReadRequest)
            /// A commit, successful or not.
            case commit(ChangeSet)
        }

        private struct State {
            var calls: [Call] = []
            var commits = 0
            var failures: [Int: PersistencyError] = [:]
            var hook: (@Sendable (ChangeSet) async -> Void)?
        }

        private let state = Mutex(State())

        /// Creates a script without failures.
        public init() {}

        /// Makes one commit fail before it starts.
        ///
        /// - Parameter number: The number of the commit in the script, from 1; failed commits are counted.
        public func failCommit(number: Int, with error: PersistencyError) {
            state.withLock { $0.failures[number] = error }
        }

        /// Runs a closure before each commit starts: to wait, or to commit something else first. If it cancels the
        /// task, the commit fails with `cancelled`.
        public func beforeCommit(_ hook: @escaping @Sendable (ChangeSet) async -> Void) {
            state.withLock { $0.hook = hook }
        }

        /// The calls so far, in order.
        public var calls: [Call] { state.withLock { $0.calls } }

        /// The change sets of all attempted commits, in order.
        public var commits: [ChangeSet] {
            calls.compactMap { if case .commit(let changes) = $0 { changes } else { nil } }
        }

        func record(_ call: Call) {
            state.withLock { $0.calls.append(call) }
        }

        func willCommit(_ changes: ChangeSet) async throws(PersistencyError) {
            let (hook, failure) = state.withLock { state in
                state.calls.append(.commit(changes))
                state.commits += 1
                return (state.hook, state.failures[state.commits])
            }
            await hook?(changes)
            if let failure { throw failure }
        }
    }
}
