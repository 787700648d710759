/// The repositories of one manager: of the store, or of a running transaction.
public struct CookbookRepositories: Sendable {
    /// The recipes.
    public let recipes: any RecipeRepository
    /// The tags.
    public let tags: any TagRepository
    /// The photos.
    public let photos: any PhotoRepository
    /// The brands.
    public let brands: any BrandRepository
    /// The users.
    public let users: any UserRepository
    /// The cookbooks.
    public let cookbooks: any CookbookRepository
    /// The cooking sessions.
    public let sessions: any CookingSessionRepository

    /// Combines repositories of one manager.
    public init(
        recipes: any RecipeRepository, tags: any TagRepository, photos: any PhotoRepository,
        brands: any BrandRepository, users: any UserRepository, cookbooks: any CookbookRepository,
        sessions: any CookingSessionRepository
    ) {
        self.recipes = recipes
        self.tags = tags
        self.photos = photos
        self.brands = brands
        self.users = users
        self.cookbooks = cookbooks
        self.sessions = sessions
    }
}
