internal import CookbookData
internal import CookbookDomain
internal import LarderApp
internal import LarderData
internal import LarderDomain
internal import LarderFollowers
internal import LarderHTTP

/// The composition root of the commands and the service: the only place that knows all layers. Tests replace members.
///
/// Commands open the store without the cache and the metrics of the service.
struct Container: Sendable {
    var openStore: @Sendable (StoreSettings, SchemaSet) async throws -> any Store = { try await $0.open($1) }
    var makeManager: @Sendable (any Store, MapperSet, RetryPolicy) -> any PersistencyManager = {
        StoreManager($0, mappers: $1, retry: $2)
    }
    /// Makes the repositories of a manager, outside transactions and within.
    var makeRepositories: @Sendable (any PersistencyManager) -> CookbookRepositories = {
        CookbookRepositories(manager: $0)
    }
    var ids: any IDGenerator = UUIDv7Generator()
    var now: @Sendable () -> Timestamp = Timestamp.now

    /// Generates 64 random bits that cannot be predicted, for the secrets of tokens.
    var random: @Sendable () -> UInt64 = AccessTokens.systemRandom

    /// The mappers of all entities in the store: the cookbook's and the service's.
    static var mappers: [any EntityMapper.Type] {
        CookbookMappers.all + [UserTokenMapper.self, StoredResponseMapper.self] + Followers.mappers
    }

    /// Opens the store, runs the body on behalf of a user, and always closes the store.
    ///
    /// - Parameter email: The user; `nil` for local access to the store with all permissions.
    /// - Throws: `CommandFailure` when the user does not exist; errors of opening and of the body.
    func withCookbook<Result>(
        _ settings: StoreSettings, as email: String? = nil, _ body: (OpenCookbook) async throws -> Result
    ) async throws -> Result {
        let mappers = try MapperSet(Self.mappers, evolution: CookbookMappers.evolution)
        let store = try await openStore(settings, mappers.schemas)
        let result: Result
        do {
            result = try await body(try await openCookbook(makeManager(store, mappers, RetryPolicy()), as: email))
        } catch {
            await store.close()
            throw error
        }
        await store.close()
        return result
    }

    private func openCookbook(_ manager: any PersistencyManager, as email: String?) async throws -> OpenCookbook {
        let open = CookbookStorage(manager: manager, makeRepositories: makeRepositories)
        guard let email else { return openCookbook(open, user: nil, manager) }
        guard let user = try await open.repositories.users.withEmail(email)?.entity else {
            throw CommandFailure(
                .notFound, "no user has the e-mail '\(email)'",
                advice: "See 'larder users' for a list, and 'larder users add --help' to register one.")
        }
        return openCookbook(for: Caller(user), user: user, manager, readingIsOpen: true)
    }

    /// The repositories and use cases of a caller, over the store's manager or a transaction's.
    func openCookbook(
        for caller: Caller, user: User?, _ manager: any PersistencyManager, readingIsOpen: Bool
    ) -> OpenCookbook {
        let guarded = CookbookStorage(
            manager: manager, for: caller, readingIsOpen: readingIsOpen, makeRepositories: makeRepositories)
        return openCookbook(guarded, user: user, manager)
    }

    private func openCookbook(
        _ storage: CookbookStorage, user: User?, _ manager: any PersistencyManager
    ) -> OpenCookbook {
        let guarded = GuardedManager(manager, policies: PolicySet([UserTokenPolicy(storage.caller)]))
        let tokens = AccessTokens(manager: guarded, prefix: Larder.identity.tokenPrefix, now: now, random: random)
        return OpenCookbook(storage: storage, tokens: tokens, user: user, ids: ids, now: now)
    }
}

extension Container: ServiceContainer {
    /// The layers of the service: the store of the settings, which may be mirrored and sealed; its metrics; the cache; the
    /// manager. ``openCookbook(for:user:_:readingIsOpen:)`` adds the guard of each caller.
    func layers(over store: any Store, _ mappers: MapperSet, _ metrics: StoreMetrics) -> ServiceLayers {
        let observed = ObservedStore(store, metrics: metrics)
        let cached = CachedStore(observed, onLookup: metrics.noteLookup)
        return ServiceLayers(
            store: observed, cache: cached, manager: makeManager(cached, mappers, metrics.retryPolicy))
    }

    func api(
        _ settings: ServiceSettings, _ reader: inout SettingReader
    ) -> @Sendable (any PersistencyManager) throws -> CookbookAPI {
        let photoBytes = reader.integer(Larder.photoSetting, default: Larder.photoBytes, in: Larder.photoRange)
        return { api(over: $0, settings.server, photoBytes: photoBytes) }
    }

    func api(
        over manager: any PersistencyManager, _ settings: ServerSettings,
        photoBytes: Int = Larder.photoBytes
    ) -> CookbookAPI {
        let readingIsOpen = settings.reading == .open
        let tokens = AccessTokens(manager: manager, prefix: Larder.identity.tokenPrefix, now: now, random: random)
        let service = CookbookService(
            manager: manager,
            authenticator: AccessTokenAuthenticator(tokens) {
                try await manager.read(EntityID<User>($0)).map { AuthenticatedUser(user: $0.entity) }
            },
            readingIsOpen: readingIsOpen, limits: settings.limits, responses: ResponseKeeper(now: now)
        ) { manager, caller in
            openCookbook(for: caller.permissions, user: caller?.user, manager, readingIsOpen: readingIsOpen)
        }
        return CookbookAPI(
            service: service, tokens: tokens, photoBytes: photoBytes,
            system: openCookbook(for: .system, user: nil, manager, readingIsOpen: readingIsOpen))
    }
}
