internal import CookbookData
internal import CookbookDomain
internal import LarderApp
internal import LarderData
internal import LarderDomain

/// Puts the layers together: the one place that knows them all. A test replaces a member.
struct Container: Sendable {
    /// Opens the store that the settings name.
    var openStore: @Sendable (StoreSettings, SchemaSet) async throws -> any Store = { try await $0.open($1) }
    /// Puts a manager over a store.
    var makeManager: @Sendable (any Store, MapperSet) -> any PersistencyManager = { StoreManager($0, mappers: $1) }
    /// Makes the repositories of a manager, outside transactions and within.
    var makeRepositories: @Sendable (any PersistencyManager) -> CookbookRepositories = {
        CookbookRepositories(manager: $0)
    }
    /// Makes the ids of what is new.
    var ids: any IDGenerator = UUIDv7Generator()
    /// Reads the clock.
    var now: @Sendable () -> Timestamp = Timestamp.now

    /// Opens the store, does something with it on somebody's behalf, and closes it whatever happened.
    ///
    /// - Parameter email: The user who asks; `nil` for whoever holds the store in hand, who may do everything.
    /// - Throws: `CommandFailure` when there is no such user; what opening and the body throw.
    func withCookbook<Result>(
        _ settings: StoreSettings, as email: String? = nil, _ body: (OpenCookbook) async throws -> Result
    ) async throws -> Result {
        let mappers = try MapperSet(CookbookMappers.all)
        let store = try await openStore(settings, mappers.schemas)
        let result: Result
        do {
            result = try await body(try await openCookbook(makeManager(store, mappers), as: email))
        } catch {
            await store.close()
            throw error
        }
        await store.close()
        return result
    }

    private func openCookbook(_ manager: any PersistencyManager, as email: String?) async throws -> OpenCookbook {
        let open = CookbookStorage(manager: manager, makeRepositories: makeRepositories)
        guard let email else { return OpenCookbook(storage: open, user: nil, ids: ids, now: now) }
        guard let user = try await open.repositories.users.withEmail(email)?.entity else {
            throw CommandFailure(
                .notFound, "no user has the e-mail '\(email)'",
                advice: "See 'larder users' for who there is, and 'larder users add --help' to register somebody.")
        }
        let guarded = CookbookStorage(
            manager: manager, for: Caller(user), readingIsOpen: true, makeRepositories: makeRepositories)
        return OpenCookbook(storage: guarded, user: user, ids: ids, now: now)
    }
}
