public import LarderDomain

/// A store that can check its internal structure, below the level of objects.
public protocol SelfCheckingStore: Store {
    /// Checks the structure. Returns one sentence for each problem, and none for a sound store.
    ///
    /// - Complexity: O(*n*) for a store of *n* bytes.
    func integrityProblems() async throws(PersistencyError) -> [String]
}
