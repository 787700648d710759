internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

struct ShowCommand: ReadingCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows one recipe.")
    static let httpWay = "GET /v1/recipes/{id}"
    @OptionGroup var options: StoreOptions

    @Argument(help: "The recipe: its id, its identifier, or its name, ignoring case and diacritics.")
    var recipe: String

    @Flag(help: "Print JSON.")
    var json = false

    func run(in cookbook: OpenCookbook) async throws {
        let stored = try await cookbook.recipe(recipe)
        let tags = try await cookbook.tags.read(stored.entity.tags).map(\.entity)
        let owner = try await cookbook.emails(of: stored.owner.map { [$0] } ?? []).values.first
        if json { return try Terminal.output(json: JSON.view(stored, tags: tags, owner: owner)) }
        for line in RecipeText(recipe: stored.entity, tags: tags, owner: owner).lines { try Terminal.output(line) }
    }
}
