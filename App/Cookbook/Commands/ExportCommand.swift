internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp

/// `larder export`
struct ExportCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes recipes as schema.org JSON Lines.",
        discussion: """
            One recipe a line, in the order in which they were stored. Importing the result into an empty store and \
            exporting that gives the same bytes. Photos are left out.
            """)

    static let httpWay = "GET /v1/export"

    @OptionGroup var options: StoreOptions
    @OptionGroup var filter: FilterOptions

    func run(in cookbook: OpenCookbook) async throws {
        try await cookbook.exportRecipes.execute(try await filter.filter(in: cookbook)) { page in
            var lines: [UInt8] = []
            for recipe in page { lines += try RecipeDocument(recipe).line() + [UInt8(ascii: "\n")] }
            try Terminal.output(lines)
        }
    }
}
