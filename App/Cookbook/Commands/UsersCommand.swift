internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

/// `larder users`
struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Lists, registers, shows and removes users, hands over what they own, and makes their tokens.",
        subcommands: [
            List.self, Add.self, Show.self, HandOver.self, Delete.self, Token.self, Tokens.self, Revoke.self,
        ], defaultSubcommand: List.self)

    /// `larder users list`
    struct List: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists users by e-mail; whoever is no admin sees only one.")

        static let httpWay = "GET /v1/users"

        @OptionGroup var options: StoreOptions

        @Flag(help: "Print JSON.")
        var json = false

        func run(in cookbook: OpenCookbook) async throws {
            let users = try await cookbook.users.read(Query(sort: [Sort(\.foldedEmail)])).entities
            if json { return try Terminal.output(json: users.map(UserView.init)) }
            var table = TextTable([.init("EMAIL", isKey: true), .init("NAME"), .init("ROLE")])
            for user in users { table.add([user.email, "\(user.firstName) \(user.lastName)", user.role.rawValue]) }
            try Terminal.output(table)
        }
    }
}
