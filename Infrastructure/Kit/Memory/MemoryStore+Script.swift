public import LarderData
public import LarderDomain
private import Synchronization

extension MemoryStore {
    /// What shall happen in a store that a test uses, and what did.
    ///
    /// ```swift
    /// let script = MemoryStore.Script()
    /// script.failCommit(number: 2, with: .unavailable(Unavailable(.full, "the disk is full")))
    /// let store = MemoryStore(schemas, script: script)
    /// ```
    public final class Script: Sendable {
        /// Something that the store was asked.
        public enum Call: Sendable {
            /// A read by ids.
            case read([RawID], of: EntitySchema)
            /// A read by condition, also one to count.
            case query(ReadRequest)
            /// A commit, whatever came of it.
            case commit(ChangeSet)
        }

        private struct State {
            var calls: [Call] = []
            var commits = 0
            var failures: [Int: PersistencyError] = [:]
            var hook: (@Sendable (ChangeSet) async -> Void)?
        }

        private let state = Mutex(State())

        /// A script in which nothing goes wrong.
        public init() {}

        /// Has one commit fail before it begins.
        ///
        /// - Parameter number: Which one from the script's beginning, from 1; commits that failed are counted.
        public func failCommit(number: Int, with error: PersistencyError) {
            state.withLock { $0.failures[number] = error }
        }

        /// Runs a closure before each commit begins: to wait, or to commit something else first. It can cancel the
        /// task, which the commit then finds cancelled.
        public func beforeCommit(_ hook: @escaping @Sendable (ChangeSet) async -> Void) {
            state.withLock { $0.hook = hook }
        }

        /// What the store was asked so far, in this order.
        public var calls: [Call] { state.withLock { $0.calls } }

        /// The change sets of the commits that the store was asked for.
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
