internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

struct CookCommand: CookbookCommand {
    static let configuration = CommandConfiguration(
        commandName: "cook",
        abstract: "Cooks a recipe, as the user of --as.",
        discussion: """
            A cooking session is recorded, the history of the user's cookbook grows, and the recipe has been cooked: \
            all of it or nothing. That a recipe has been cooked is noted only where the user may change the recipe.
            """)
    static let httpWay = "POST /v1/recipes/{id}/cook"
    @OptionGroup var options: StoreOptions

    @Argument(help: "The recipe: its id, its identifier, or its name in any case.")
    var recipe: String

    @Option(help: ArgumentHelp("The cookbook whose history grows; not needed by who has only one.", valueName: "name"))
    var cookbook: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("How often in a row, 1 to 1,000.", valueName: "count"))
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
            "\(user.firstName) cooked \(outcome.recipe.name)\(times), noted in \(outcome.cookbook.name)")
    }
}
