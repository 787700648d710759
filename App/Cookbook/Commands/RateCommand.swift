internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

struct RateCommand: CookbookCommand {
    static let configuration = CommandConfiguration(commandName: "rate", abstract: "Rates a recipe.")
    static let httpWay = "POST /v1/recipes/{id}/rate"
    @OptionGroup var options: StoreOptions

    @Argument(help: "The recipe: its id, its identifier, or its name, ignoring case and diacritics.")
    var recipe: String

    @Argument(help: "1 to 5; 0 removes the rating.")
    var rating: Int

    func validate() throws {
        guard (0...5).contains(rating) else { throw ValidationError("The rating must be 0 to 5.") }
    }

    func run(in cookbook: OpenCookbook) async throws {
        let found = try await cookbook.recipe(recipe)
        let saved = try await cookbook.rateRecipe.execute(.init(recipe: found.id, rating: rating))
        let name = saved.stored.name
        try Terminal.output(rating == 0 ? "\(name) has no rating" : "\(name) is rated \(rating) of 5")
    }
}
