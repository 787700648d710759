public import LarderDomain

/// A store whose files can be deleted or replaced while it is open.
///
/// The system keeps an open file without a name as long as it is open: reads and commits go on, and everything is gone
/// when the process ends. A store of this kind refuses durable commits then.
public protocol FileBackedStore: Store {
    /// Checks that the store's paths still name the files that are open; a few system calls.
    ///
    /// - Throws: `unavailable` (`failed`) with the path that was deleted or replaced.
    func checkFiles() async throws(PersistencyError)
}
