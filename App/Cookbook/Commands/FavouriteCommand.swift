internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

struct FavouriteCommand: CookbookCommand {
    static let configuration = CommandConfiguration(
        commandName: "favourite", abstract: "Adds a recipe to the favourites of a cookbook of the --as user.")
    static let httpWay = "PATCH /v1/cookbooks/{id}"
    @OptionGroup var options: StoreOptions

    @Argument(help: "The recipe: its id, its identifier, or its name, ignoring case and diacritics.")
    var recipe: String

    @Option(help: ArgumentHelp("The cookbook; optional if the user has only one.", valueName: "name"))
    var cookbook: String?

    @Flag(help: "Remove it from the favourites.")
    var remove = false

    func run(in cookbook: OpenCookbook) async throws {
        let user = try cookbook.requireUser(to: "have favourites")
        let recipe = try await cookbook.recipe(recipe)
        let target = try await cookbook.cookbook(self.cookbook, of: user)
        let saved = try await cookbook.favouriteRecipe.execute(
            .init(recipe: recipe.id, cookbook: target.id, isFavourite: !remove))
        let still = saved.outcome == .unchanged ? " as before" : ""
        try Terminal.output("\(recipe.name) is \(remove ? "not a" : "a") favourite in \(target.name)\(still)")
    }
}
