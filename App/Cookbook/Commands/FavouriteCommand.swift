internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

struct FavouriteCommand: CookbookCommand {
    static let configuration = CommandConfiguration(
        commandName: "favourite", abstract: "Takes a recipe into the favourites of a cookbook of the user of --as.")
    static let httpWay = "PATCH /v1/cookbooks/{id}"
    @OptionGroup var options: StoreOptions

    @Argument(help: "The recipe: its id, its identifier, or its name in any case.")
    var recipe: String

    @Option(help: ArgumentHelp("The cookbook; not needed by who has only one.", valueName: "name"))
    var cookbook: String?

    @Flag(help: "Take it out again.")
    var remove = false

    func run(in cookbook: OpenCookbook) async throws {
        let user = try cookbook.requireUser(to: "have favourites")
        let recipe = try await cookbook.recipe(recipe)
        let target = try await cookbook.cookbook(self.cookbook, of: user)
        let saved = try await cookbook.favouriteRecipe.execute(
            .init(recipe: recipe.id, cookbook: target.id, isFavourite: !remove))
        let still = saved.outcome == .unchanged ? " as before" : ""
        try Terminal.output("\(recipe.name) is \(remove ? "no" : "a") favourite in \(target.name)\(still)")
    }
}
