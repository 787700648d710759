internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

extension Container {
    /// The service over a manager, as its routes use it.
    ///
    /// - Parameter readingIsOpen: Whether somebody who is not known may read recipes, tags, brands and photos.
    func service(over manager: any PersistencyManager, readingIsOpen: Bool) -> CookbookService {
        CookbookService(
            manager: manager, readingIsOpen: readingIsOpen,
            tokens: AccessTokens(manager: manager, now: now, random: random), answers: AnswerKeeper(now: now)
        ) { manager, caller, user in
            openCookbook(for: caller, user: user, manager, readingIsOpen: readingIsOpen)
        }
    }
}
