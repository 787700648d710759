public import LarderDomain

/// A store whose files can be deleted or replaced while it is open.
///
/// The operating system keeps an unlinked file until it is closed: reads and commits succeed, but all data is lost when
/// the process ends. Such a store refuses durable commits in this state.
public protocol FileBackedStore: Store {
    /// Checks that the store's paths still name the open files. Costs a few system calls.
    ///
    /// - Throws: `unavailable` (`failed`) with the path that was deleted or replaced.
    func checkFiles() async throws(PersistencyError)
}

/// A store that can check its internal structure, below the level of objects.
public protocol SelfCheckingStore: Store {
    /// Checks the structure. Returns one sentence for each problem, and none for a sound store.
    ///
    /// - Complexity: O(*n*) for a store of *n* bytes.
    func integrityProblems() async throws(PersistencyError) -> [String]
}

/// A store with a log that cannot restart while it is read, and so may grow.
public protocol LogKeepingStore: Store {
    /// The size of the log in bytes; `nil` if this process does not write it.
    var logBytes: Int? { get }
    /// Whether reads have prevented a restart of the log for too long. Commits are refused if the log grows further.
    var isLogBlocked: Bool { get }
}

/// A store whose tokens outlive it: a copy of its data that is put back later has the lifetime of tokens for commits that it
/// does not have.
public protocol RenewableStore: Store {
    /// Begins a new lifetime of tokens, and closes the store: open it again.
    ///
    /// Tokens from before are refused, and a stream after one of them starts with a gap. Objects, versions, and the outcomes
    /// of retained commits remain. Another process that has the store open refuses commits from then on.
    ///
    /// - Throws: `unavailable`: `readOnly` for a store that only reads; the lifetime is the old one after an error.
    /// - Complexity: O(*n*) for *n* retained commits, and for a file store also for its roots.
    func renew() async throws(PersistencyError)
}
