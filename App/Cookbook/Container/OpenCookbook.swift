internal import CookbookDomain
internal import LarderDomain
internal import LarderHTTP

/// The repositories and use cases while the store is open, with the permissions of the user.
struct OpenCookbook: Sendable {
    let storage: CookbookStorage
    /// The users' tokens, with the permissions of the user.
    let tokens: AccessTokens
    /// The user; `nil` for local access to the store.
    let user: User?
    let ids: any IDGenerator
    let now: @Sendable () -> Timestamp

    var recipes: any RecipeRepository { storage.repositories.recipes }
    var tags: any TagRepository { storage.repositories.tags }
    var brands: any BrandRepository { storage.repositories.brands }
    var users: any UserRepository { storage.repositories.users }
    var cookbooks: any CookbookRepository { storage.repositories.cookbooks }
    var photos: any PhotoRepository { storage.repositories.photos }
    var sessions: any CookingSessionRepository { storage.repositories.sessions }

    var importRecipes: ImportRecipes { ImportRecipes(storage: storage, ids: ids, now: now) }
    var exportRecipes: ExportRecipes { ExportRecipes(storage: storage) }
    var rateRecipe: RateRecipe { RateRecipe(storage: storage) }
    var renameTag: RenameTag { RenameTag(storage: storage) }
    var mergeTags: MergeTags { MergeTags(storage: storage) }
    var cookRecipe: CookRecipe { CookRecipe(storage: storage, ids: ids, now: now) }
    var favouriteRecipe: FavouriteRecipe { FavouriteRecipe(storage: storage) }
    var putPhoto: PutPhoto { PutPhoto(storage: storage, ids: ids) }
    var getPhoto: GetPhoto { GetPhoto(storage: storage) }
    var deletePhoto: DeletePhoto { DeletePhoto(storage: storage) }
    var registerUser: RegisterUser { RegisterUser(storage: storage, ids: ids) }
    var handOverOwnership: HandOverOwnership { HandOverOwnership(storage: storage) }
    var clearBrands: ClearBrands { ClearBrands(storage: storage) }
    var countCookbook: CountCookbook { CountCookbook(storage: storage) }
}
