public import LarderDomain

/// What a use case works with: the repositories as one caller may use them, and transactions over all of them.
///
/// Repositories inside a transaction are made by the same function as those outside, so that whatever is wrapped around
/// them holds in both.
public struct CookbookStorage: Sendable {
    /// The repositories outside a transaction; each call of theirs is a commit of its own.
    public let repositories: CookbookRepositories
    /// On whose behalf it is used.
    public let caller: Caller
    private let manager: any PersistencyManager
    private let makeRepositories: @Sendable (any PersistencyManager) -> CookbookRepositories

    /// Makes the storage of one manager for the program itself: nothing is guarded.
    public init(
        manager: any PersistencyManager,
        makeRepositories: @escaping @Sendable (any PersistencyManager) -> CookbookRepositories
    ) {
        self.init(InvariantManager(manager), .system, makeRepositories)
    }

    /// Makes the storage of one manager for a caller, who sees and changes what ``PolicySet/cookbook(for:readingIsOpen:)``
    /// allows, in transactions too.
    ///
    /// - Parameter readingIsOpen: Whether somebody who is not known may read recipes, tags, brands and photos.
    public init(
        manager: any PersistencyManager, for caller: Caller, readingIsOpen: Bool,
        makeRepositories: @escaping @Sendable (any PersistencyManager) -> CookbookRepositories
    ) {
        let policies = PolicySet.cookbook(for: caller, readingIsOpen: readingIsOpen)
        // The guard comes first: whoever may not change something learns nothing of what it would collide with.
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

    /// Runs a body whose reads and changes become one commit, or none; see `PersistencyManager.transaction`.
    ///
    /// - Throws: The body's own errors as they are; `conflict` when every attempt lost; what a commit throws.
    public func transaction<Result>(_ body: (CookbookRepositories) async throws -> Result) async throws -> Result {
        try await manager.transaction { try await body(makeRepositories($0)) }
    }
}
