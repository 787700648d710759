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
