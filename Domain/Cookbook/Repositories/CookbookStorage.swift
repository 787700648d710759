public import LarderDomain

/// The storage of a use case: the repositories with one caller's permissions, and transactions over all of them.
///
/// The same function makes the repositories inside and outside a transaction, so that decorators of the manager apply
/// to both.
public struct CookbookStorage: Sendable {
    /// The repositories outside a transaction; each call is a separate commit.
    public let repositories: CookbookRepositories
    /// The identity for which it is used.
    public let caller: Caller
    private let manager: any PersistencyManager
    private let makeRepositories: @Sendable (any PersistencyManager) -> CookbookRepositories

    /// Makes the storage of one manager for the program itself, without access control.
    public init(
        manager: any PersistencyManager,
        makeRepositories: @escaping @Sendable (any PersistencyManager) -> CookbookRepositories
    ) {
        self.init(InvariantManager(manager), .system, makeRepositories)
    }

    /// Makes the storage of one manager for a caller, whose reads and changes
    /// ``PolicySet/cookbook(for:readingIsOpen:)`` restricts, in transactions too.
    ///
    /// - Parameter readingIsOpen: Whether unauthenticated callers may read recipes, tags, brands, and photos.
    public init(
        manager: any PersistencyManager, for caller: Caller, readingIsOpen: Bool,
        makeRepositories: @escaping @Sendable (any PersistencyManager) -> CookbookRepositories
    ) {
        let policies = PolicySet.cookbook(for: caller, readingIsOpen: readingIsOpen)
        // The guard comes first, so that a caller without permission learns nothing about conflicting data.
        self.init(GuardedManager(InvariantManager(manager), policies: policies), caller, makeRepositories)
    }

    private init(
        _ manager: any PersistencyManager, _ caller: Caller,
        _ makeRepositories: @escaping @Sendable (any PersistencyManager) -> CookbookRepositories
    ) {
        self.manager = manager
        self.repositories = makeRepositories(manager)
        self.caller = caller
        self.makeRepositories = makeRepositories
    }

    /// Runs a body whose reads and changes become one commit or none; see `PersistencyManager.transaction`.
    ///
    /// - Throws: The body's own errors; `conflict` if every attempt lost; the errors of a commit.
    public func transaction<Result>(_ body: (CookbookRepositories) async throws -> Result) async throws -> Result {
        try await manager.transaction { try await body(makeRepositories($0)) }
    }
}
