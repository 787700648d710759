internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp

/// `larder tags`
struct TagsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tags", abstract: "Lists, renames and merges tags.",
        subcommands: [List.self, Rename.self, Merge.self], defaultSubcommand: List.self)

    /// `larder tags list`
    struct List: ReadingCommand {
        private struct Row: Encodable {
            let name: String
            let recipes: Int
        }

        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists tags with the number of their recipes.")

        static let httpWay = "GET /v1/tags"

        @OptionGroup var options: StoreOptions

        @Flag(help: "Print JSON.")
        var json = false

        func run(in cookbook: OpenCookbook) async throws {
            let counts = try await cookbook.tags.withRecipeCounts()
            if json { return try Terminal.output(json: counts.map { Row(name: $0.tag.name, recipes: $0.recipes) }) }
            var table = TextTable([.init("TAG", isKey: true), .init("RECIPES", isNumber: true)])
            for count in counts { table.add([count.tag.name, String(count.recipes)]) }
            try Terminal.output(table)
        }
    }
}
