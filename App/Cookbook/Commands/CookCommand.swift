internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

struct CookCommand: CookbookCommand {
    static let configuration = CommandConfiguration(
        commandName: "cook",
        abstract: "Cooks a recipe, as the --as user.",
        discussion: """
            Records a cooking session, adds the recipe to the history of the user's cookbook, and marks it as cooked, \
            in one transaction. The recipe is marked only if the user may change it.
            """)
    static let httpWay = "POST /v1/recipes/{id}/cook"
    @OptionGroup var options: StoreOptions

    @Argument(help: "The recipe: its id, its identifier, or its name, ignoring case and diacritics.")
    var recipe: String

    @Option(help: ArgumentHelp("The cookbook to record it in; optional if the user has only one.", valueName: "name"))
    var cookbook: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The number of repetitions, 1 to 1,000.", valueName: "count"))
    var repetitions = 1

    static var fields: [String: String] { ["repetitions": "--repetitions"] }

    func run(in cookbook: OpenCookbook) async throws {
        let user = try cookbook.requireUser(to: "cook")
        let recipe = try await cookbook.recipe(recipe)
        let target = try await cookbook.cookbook(self.cookbook, of: user)
        let outcome = try await cookbook.cookRecipe.execute(
            .init(user: user.id, recipe: recipe.id, cookbook: target.id, repetitions: repetitions))
        let times = outcome.session.repetitions == 1 ? "" : " \(outcome.session.repetitions) times"
        try Terminal.output(
            "\(user.firstName) cooked \(outcome.recipe.name)\(times), recorded in \(outcome.cookbook.name)")
    }
}
