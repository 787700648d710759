internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

extension UsersCommand {
    /// `larder users add`
    struct Add: CookbookCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Registers a user.",
            usage: "larder users add <email> --first <name> --last <name> [--role <role>] [<options>]",
            discussion: "Readers read, cook and keep cookbooks; cooks bring recipes in too; admins may do everything.")

        static let httpWay = "POST /v1/users"

        @OptionGroup var options: StoreOptions

        @Argument(help: "The e-mail, by which the user is named in other commands, in any case.")
        var email: String

        // Optional for the parser alone, which would name one of two that are missing.
        @Option(help: ArgumentHelp("The first name; needed.", valueName: "name"))
        var first: String?

        @Option(help: ArgumentHelp("The last name; needed.", valueName: "name"))
        var last: String?

        @Option(help: "What the user may do.")
        var role: Role = .reader

        static var fields: [String: String] { ["email": "<email>", "firstName": "--first", "lastName": "--last"] }

        func validate() throws {
            let missing = [("--first", first), ("--last", last)].filter { $0.1 == nil }.map(\.0)
            guard missing.isEmpty else { throw ValidationError("Missing: \(missing.joined(separator: " and ")).") }
        }

        func run(in cookbook: OpenCookbook) async throws {
            do {
                let user = try await cookbook.registerUser.execute(
                    .init(email: email, firstName: first ?? "", lastName: last ?? "", role: role))
                try Terminal.output("\(user.firstName) \(user.lastName) is registered as \(user.role.rawValue)")
            } catch PersistencyError.duplicate {
                throw CommandFailure(
                    .conflict, "a user has the e-mail '\(email)' already",
                    advice: "See 'larder users' for who there is.")
            }
        }
    }

    /// `larder users show`
    struct Show: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Shows a user with what the user owns.")

        static let httpWay = "GET /v1/users/{id}"

        @OptionGroup var options: StoreOptions

        @Argument(help: "The e-mail, in any case.")
        var email: String

        @Flag(help: "Print JSON.")
        var json = false

        func run(in cookbook: OpenCookbook) async throws {
            let user = try await cookbook.user(email)
            let recipes = try await cookbook.recipes.list(.init(.init(ownedBy: user.id), limit: 1, includesTotal: true))
            let view = UserView(
                user, recipes: recipes.total, cookbooks: try await cookbook.cookbooks.owned(by: user.id).map(\.name))
            if json { return try Terminal.output(json: view) }
            for line in view.lines { try Terminal.output(line) }
        }
    }
}
