internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Lists, registers, shows, and removes users, transfers ownership, and issues tokens.",
        subcommands: [
            List.self, Add.self, Show.self, HandOver.self, Delete.self, Token.self, Tokens.self, Revoke.self,
        ], defaultSubcommand: List.self)

    struct List: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists users by e-mail; only admins see other users.")
        static let httpWay = "GET /v1/users"
        @OptionGroup var options: StoreOptions

        @Flag(help: "Print JSON.")
        var json = false

        func run(in cookbook: OpenCookbook) async throws {
            let users = try await cookbook.users.read(Query(sort: [Sort(\.foldedEmail)])).entities
            try Terminal.output(
                users, asJSON: json, [.init("EMAIL", isKey: true), .init("NAME"), .init("ROLE")],
                row: { [$0.email, "\($0.firstName) \($0.lastName)", $0.role.rawValue] }, json: { JSON.view($0) })
        }
    }
}

extension UsersCommand {
    struct Add: CookbookCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Registers a user.",
            usage: "larder users add <email> --first <name> --last <name> [--role <role>] [<options>]",
            discussion: "Readers read, cook, and have cookbooks; cooks also add recipes; admins may do everything.")
        static let httpWay = "POST /v1/users"
        @OptionGroup var options: StoreOptions

        @Argument(help: "The e-mail, which identifies the user in other commands, ignoring case.")
        var email: String

        // Optional because of the parser, which would report only one of two missing arguments.
        @Option(help: ArgumentHelp("The first name; required.", valueName: "name"))
        var first: String?

        @Option(help: ArgumentHelp("The last name; required.", valueName: "name"))
        var last: String?

        @Option(help: "The role, which decides the permissions.")
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
                    .conflict, "a user with the e-mail '\(email)' already exists",
                    advice: "See 'larder users' for a list.")
            }
        }
    }

    struct Show: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Shows a user with the user's cookbooks and recipes.")
        static let httpWay = "GET /v1/users/{id}"
        @OptionGroup var options: StoreOptions

        @Argument(help: "The e-mail, ignoring case.")
        var email: String

        @Flag(help: "Print JSON.")
        var json = false

        func run(in cookbook: OpenCookbook) async throws {
            let user = try await cookbook.user(email)
            let recipes = try await cookbook.recipes.list(.init(.init(ownedBy: user.id), limit: 1, includesTotal: true))
            let names = try await cookbook.cookbooks.owned(by: user.id).map(\.name)
            if json { return try Terminal.output(json: JSON.view(user, recipes: recipes.total, cookbooks: names)) }
            for line in [
                "\(user.firstName) \(user.lastName)", "", "E-mail: \(user.email)", "Role: \(user.role.rawValue)",
                "Recipes: \(recipes.total ?? 0)",
                "Cookbooks: " + (names.isEmpty ? "none yet" : names.joined(separator: ", ")), "Id: \(user.id)",
            ] { try Terminal.output(line) }
        }
    }
}

extension UsersCommand {
    struct HandOver: CookbookCommand {
        static let configuration = CommandConfiguration(
            commandName: "hand-over",
            abstract: "Transfers all recipes and cookbooks of a user to another, but not cooking sessions.")
        static let httpWay = "PATCH /v1/recipes/{id}"
        @OptionGroup var options: StoreOptions

        @Argument(help: "The e-mail of the present owner.")
        var from: String

        @Argument(help: "The e-mail of the new owner.")
        var to: String

        static var fields: [String: String] { ["target": "<to>"] }

        func run(in cookbook: OpenCookbook) async throws {
            let (source, target) = (try await cookbook.user(from), try await cookbook.user(to))
            let outcome = try await cookbook.handOverOwnership.execute(.init(from: source.id, to: target.id))
            let what = "\(counted(outcome.recipes, "recipe")) and \(counted(outcome.cookbooks, "cookbook"))"
            try Terminal.output("\(target.email) received \(what) from \(source.email)")
        }
    }

    struct Delete: CookbookCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Removes a user who owns nothing, with the user's cooking sessions and tokens.")
        static let httpWay = "DELETE /v1/users/{id}"
        @OptionGroup var options: StoreOptions

        @Argument(help: "The e-mail, ignoring case.")
        var email: String

        func run(in cookbook: OpenCookbook) async throws {
            let user = try await cookbook.user(email)
            do {
                try await cookbook.users.delete(user.id)
                try Terminal.output("\(user.email) is removed")
            } catch PersistencyError.refused(let refusal) {
                if let rule = refusal.rule {
                    throw CommandFailure(
                        .conflict, "\(user.email) \(rule)",
                        advice: "Register another admin first: larder users add EMAIL --role admin")
                }
                let owned = try await cookbook.owned(refusal)
                throw CommandFailure(
                    .conflict, "\(user.email) still owns \(owned)",
                    advice: "Hand everything over first: larder users hand-over \(user.email) EMAIL")
            }
        }
    }
}

extension OpenCookbook {
    /// The entity that prevents a deletion, by name.
    fileprivate func owned(_ refusal: Refusal) async throws -> String {
        switch refusal.entity {
        case Recipe.entityName:
            if let recipe = try await recipes.read(EntityID(refusal.example)) {
                return "the recipe \(recipe.name)"
            }
        case Cookbook.entityName:
            if let found = try await cookbooks.read(EntityID(refusal.example)) {
                return "the cookbook \(found.name)"
            }
        default: break
        }
        return "\(refusal.entity) \(refusal.example)"
    }
}
