internal import CookbookDomain
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP

extension Container {
    /// The routes over a manager.
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
            readingIsOpen: readingIsOpen, limits: settings.limits, answers: AnswerKeeper(now: now)
        ) { manager, caller in
            openCookbook(for: caller.permissions, user: caller?.user, manager, readingIsOpen: readingIsOpen)
        }
        return CookbookAPI(
            service: service, tokens: tokens, photoBytes: photoBytes,
            system: openCookbook(for: .system, user: nil, manager, readingIsOpen: readingIsOpen))
    }
}
