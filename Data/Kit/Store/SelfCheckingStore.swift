public import LarderDomain

/// A store that can check its own structure, below the objects in it.
public protocol SelfCheckingStore: Store {
    /// Reads the store's structure and describes what is wrong with it, one sentence each; none for a sound store.
    ///
    /// - Complexity: O(*n*) for a store of *n* bytes.
    func integrityProblems() async throws(PersistencyError) -> [String]
}
