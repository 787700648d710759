import ArgumentParser
import LarderApp
import LarderDomain
import LarderHTTP
import LoansDomain

/// `users`
struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users", abstract: "Lists and adds users.", subcommands: [List.self, Add.self],
        defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the users by name.")
        static let isReading = true
        @OptionGroup var options: StoreOptions

        func run(_ manager: any PersistencyManager, in container: Container) async throws {
            for user in try await Users(manager).read(Query(sort: [Sort(\.name)])).entities {
                try Terminal.output("\(user.id) \(user.name)\(user.isOperator ? " (operator)" : "")")
            }
        }
    }

    struct Add: StoreCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds a user, and prints a token that is valid for 90 days.")
        @OptionGroup var options: StoreOptions
        @Argument(help: "The name.") var name: String
        @Flag(help: "The user has all permissions.") var `operator` = false

        func run(_ manager: any PersistencyManager, in container: Container) async throws {
            let user = try User(id: container.ids.next(), name: name, isOperator: `operator`)
            try await Users(manager).create(user)
            let tokens = AccessTokens(manager: manager, prefix: Program.identity.tokenPrefix, now: container.now)
            try Terminal.output(try await tokens.issue(to: user.id.rawValue, label: "first").secret.text)
        }
    }
}
