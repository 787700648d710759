internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

extension CookbooksCommand {
    /// `larder cookbooks add`
    struct Add: CookbookCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Adds an empty cookbook for the user of --as.")

        static let httpWay = "POST /v1/cookbooks"

        @OptionGroup var options: StoreOptions

        @Argument(help: "Its name.")
        var name: String

        static var fields: [String: String] { ["name": "<name>"] }

        func run(in cookbook: OpenCookbook) async throws {
            let user = try cookbook.requireUser(to: "own a cookbook")
            let isTaken = try await cookbook.cookbooks.owned(by: user.id).contains {
                $0.name.lowercased() == name.lowercased()
            }
            guard !isTaken else {
                throw CommandFailure(
                    .conflict, "\(user.email) has a cookbook '\(name)' already", advice: "Choose another name.")
            }
            try await cookbook.cookbooks.create(Cookbook(id: cookbook.ids.next(), owner: user.id, name: name))
            try Terminal.output("\(name) is a cookbook of \(user.email)")
        }
    }

    /// `larder cookbooks show`
    struct Show: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Shows a cookbook with its favourites and its history, the last one first.")

        static let httpWay = "GET /v1/cookbooks/{id}"

        @OptionGroup var options: StoreOptions

        @Argument(help: "The cookbook: its name in any case, or its id.")
        var cookbook: String

        @Flag(help: "Print JSON.")
        var json = false

        func run(in cookbook: OpenCookbook) async throws {
            let found = try await cookbook.cookbook(self.cookbook)
            let owner = try await cookbook.emails(of: [found.owner])[found.owner]
            let names = try await cookbook.recipeNames(found.favourites + found.history)
            let view = CookbookView(found, owner: owner, recipeNames: names)
            if json { return try Terminal.output(json: view) }
            for line in view.lines { try Terminal.output(line) }
        }
    }

    /// `larder cookbooks delete`
    struct Delete: CookbookCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Deletes a cookbook; recipes and cooking sessions stay.")

        static let httpWay = "DELETE /v1/cookbooks/{id}"

        @OptionGroup var options: StoreOptions

        @Argument(help: "The cookbook: its name in any case, or its id.")
        var cookbook: String

        func run(in cookbook: OpenCookbook) async throws {
            let found = try await cookbook.cookbook(self.cookbook)
            try await cookbook.cookbooks.delete(found.id)
            try Terminal.output("\(found.name) is deleted")
        }
    }
}
