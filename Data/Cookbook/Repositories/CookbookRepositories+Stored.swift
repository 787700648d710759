public import CookbookDomain
public import LarderDomain

extension CookbookRepositories {
    /// The repositories of a manager: that of the store, or of a transaction.
    public init(manager: any PersistencyManager) {
        self.init(
            recipes: StoredRecipes(manager: manager), tags: StoredTags(manager: manager),
            photos: StoredPhotos(manager: manager), brands: StoredBrands(manager: manager),
            users: StoredUsers(manager: manager), cookbooks: StoredCookbooks(manager: manager),
            sessions: StoredCookingSessions(manager: manager))
    }
}
