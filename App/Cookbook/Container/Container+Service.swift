internal import CookbookDomain
internal import LarderDomain
internal import LarderHTTP

extension Container {
    /// The service over a manager, as its routes use it.
    func service(over manager: any PersistencyManager, _ settings: ServerSettings) -> CookbookService {
        let readingIsOpen = settings.reading == .open
        return CookbookService(
            manager: manager, readingIsOpen: readingIsOpen, limits: settings.limits,
            tokens: AccessTokens(manager: manager, now: now, random: random), answers: AnswerKeeper(now: now)
        ) { manager, caller, user in
            openCookbook(for: caller, user: user, manager, readingIsOpen: readingIsOpen)
        }
    }
}
