internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

/// `larder cookbooks`
struct CookbooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cookbooks", abstract: "Lists, adds, shows and deletes cookbooks.",
        subcommands: [List.self, Add.self, Show.self, Delete.self], defaultSubcommand: List.self)

    /// `larder cookbooks list`
    struct List: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists cookbooks; whoever is no admin sees only the own ones.")

        static let httpWay = "GET /v1/cookbooks"

        @OptionGroup var options: StoreOptions

        @Flag(help: "Print JSON.")
        var json = false

        func run(in cookbook: OpenCookbook) async throws {
            let cookbooks = try await cookbook.cookbooks.read(Query(sort: [Sort(\.name)])).entities
            let owners = try await cookbook.emails(of: cookbooks.map(\.owner))
            if json {
                return try Terminal.output(json: cookbooks.map { CookbookView($0, owner: owners[$0.owner]) })
            }
            var table = TextTable([
                .init("COOKBOOK", isKey: true), .init("OWNER"), .init("FAVOURITES", isNumber: true),
                .init("COOKED", isNumber: true),
            ])
            for found in cookbooks {
                table.add([
                    found.name, owners[found.owner] ?? "", String(found.favourites.count), String(found.history.count),
                ])
            }
            try Terminal.output(table)
        }
    }
}
