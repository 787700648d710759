internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp

struct ExportCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes recipes as schema.org JSON Lines.",
        discussion: """
            One recipe per line, in the order of their ids. Ids begin with the time of creation, so this is the order in \
            which recipes were stored, unless the clock was set back. Importing the result into an empty store and \
            exporting that store gives the same bytes. Photos are left out.
            """)
    static let httpWay = "GET /v1/export"
    @OptionGroup var options: StoreOptions
    @OptionGroup var filter: FilterOptions

    func run(in cookbook: OpenCookbook) async throws {
        try await cookbook.exportRecipes.execute(try await filter.filter(in: cookbook)) { page in
            var lines: [UInt8] = []
            for recipe in page { lines += RecipeDocument(recipe).line() + [UInt8(ascii: "\n")] }
            try Terminal.output(lines)
        }
    }
}
