internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

struct CookbooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cookbooks", abstract: "Lists, adds, shows, and deletes cookbooks.",
        subcommands: [List.self, Add.self, Show.self, Delete.self], defaultSubcommand: List.self)

    struct List: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists cookbooks; only admins see those of others.")
        static let httpWay = "GET /v1/cookbooks"
        @OptionGroup var options: StoreOptions

        @Flag(help: "Print JSON.")
        var json = false

        func run(in cookbook: OpenCookbook) async throws {
            let cookbooks = try await cookbook.cookbooks.read(Query(sort: [Sort(\.name)])).entities
            let owners = try await cookbook.emails(of: cookbooks.map(\.owner))
            let columns: [TextTable.Column] = [
                .init("COOKBOOK", isKey: true), .init("OWNER"), .init("FAVOURITES", isNumber: true),
                .init("COOKED", isNumber: true),
            ]
            try Terminal.output(
                cookbooks, asJSON: json, columns,
                row: { [$0.name, owners[$0.owner] ?? "", String($0.favourites.count), String($0.history.count)] },
                json: { JSON.view($0, owner: owners[$0.owner]) })
        }
    }
}

extension CookbooksCommand {
    struct Add: CookbookCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Adds an empty cookbook for the --as user.")
        static let httpWay = "POST /v1/cookbooks"
        @OptionGroup var options: StoreOptions

        @Argument(help: "Its name.")
        var name: String

        static var fields: [String: String] { ["name": "<name>"] }

        func run(in cookbook: OpenCookbook) async throws {
            let user = try cookbook.requireUser(to: "own a cookbook")
            let isTaken = try await cookbook.cookbooks.owned(by: user.id).contains {
                $0.name.folded == name.folded
            }
            guard !isTaken else {
                throw CommandFailure(
                    .conflict, "\(user.email) already has a cookbook '\(name)'", advice: "Choose another name.")
            }
            try await cookbook.cookbooks.create(Cookbook(id: cookbook.ids.next(), owner: user.id, name: name))
            try Terminal.output("\(name) is a cookbook of \(user.email)")
        }
    }

    struct Show: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Shows a cookbook with its favourites and its history, latest first.")
        static let httpWay = "GET /v1/cookbooks/{id}"
        @OptionGroup var options: StoreOptions

        @Argument(help: "The cookbook: its name, ignoring case and diacritics, or its id.")
        var cookbook: String

        @Flag(help: "Print JSON.")
        var json = false

        func run(in cookbook: OpenCookbook) async throws {
            let found = try await cookbook.cookbook(self.cookbook)
            let owner = try await cookbook.emails(of: [found.owner])[found.owner]
            let names = try await cookbook.recipeNames(found.favourites + found.history)
            if json { return try Terminal.output(json: JSON.view(found, owner: owner, names: names)) }
            func listed(_ ids: [EntityID<Recipe>]) -> [String] {
                ids.isEmpty ? ["  none yet"] : ids.map { "  - \(names[$0] ?? $0.description)" }
            }
            let head = [found.name, "", "Owner: \(owner ?? "another user")", "Id: \(found.id)"]
            let lists =
                ["", "Favourites"] + listed(found.favourites) + ["", "Cooked, latest first"]
                + listed(found.history.reversed())
            for line in head + lists { try Terminal.output(line) }
        }
    }

    struct Delete: CookbookCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Deletes a cookbook; recipes and cooking sessions stay.")
        static let httpWay = "DELETE /v1/cookbooks/{id}"
        @OptionGroup var options: StoreOptions

        @Argument(help: "The cookbook: its name, ignoring case and diacritics, or its id.")
        var cookbook: String

        func run(in cookbook: OpenCookbook) async throws {
            let found = try await cookbook.cookbook(self.cookbook)
            try await cookbook.cookbooks.delete(found.id)
            try Terminal.output("\(found.name) is deleted")
        }
    }
}
