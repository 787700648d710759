internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP

extension UsersCommand {
    struct Token: CookbookCommand {
        static let configuration = CommandConfiguration(
            commandName: "token", abstract: "Issues a bearer token, which identifies a user over HTTP.",
            discussion: """
                The token is written to standard output once and cannot be shown again: only its digest is stored. Only \
                admins issue tokens.
                """)
        static let httpWay = "POST /v1/users/{id}/tokens"
        @OptionGroup var options: StoreOptions

        @Argument(help: "The e-mail of the user, ignoring case.")
        var email: String

        @Option(help: ArgumentHelp("The purpose, shown by 'larder users tokens'.", valueName: "text"))
        var label = "issued on the command line"

        @Option(parsing: .unconditional, help: ArgumentHelp("The lifetime in days, 1 to 365.", valueName: "days"))
        var days = 90

        @Option(
            help: ArgumentHelp(
                "Restrict the token of an admin to one purpose: metrics or backup; can be repeated.",
                valueName: "purpose"))
        var only: [OperatorPermission] = []

        @Flag(help: "Print JSON.")
        var json = false

        static var fields: [String: String] { ["label": "--label", "permissions": "--only"] }

        func validate() throws {
            guard (1...365).contains(days) else { throw ValidationError("--days must be 1 to 365.") }
        }

        func run(in cookbook: OpenCookbook) async throws {
            let user = try await cookbook.user(email)
            let (secret, token) = try await cookbook.tokens.issue(
                to: user.id.rawValue, label: label, lifetime: .seconds(86_400 * days),
                restriction: only.isEmpty ? nil : try TokenRestriction(Set(only)))
            try await options.record(act: "issue token", ["token": "\(token.id)", "owner": "\(user.id)"])
            if json {
                try Terminal.output(json: JSON.view(token, of: user, secret: secret))
            } else {
                try Terminal.output(secret.text)
            }
            Terminal.warn("It is valid until \(token.expiresAt.wholeSeconds), and is not shown again.")
        }
    }

    struct Tokens: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "tokens", abstract: "Lists the tokens of a user without their secrets, latest first.")
        static let httpWay = "GET /v1/users/{id}/tokens"
        @OptionGroup var options: StoreOptions

        @Argument(help: "The e-mail, ignoring case.")
        var email: String

        @Flag(help: "Print JSON.")
        var json = false

        func run(in cookbook: OpenCookbook) async throws {
            let user = try await cookbook.user(email)
            let tokens = try await cookbook.tokens.issued(to: user.id.rawValue)
            let now = cookbook.now()
            try Terminal.output(
                tokens, asJSON: json,
                [.init("ID", isKey: true), .init("STATE"), .init("EXPIRES"), .init("PERMITS"), .init("LABEL")],
                row: {
                    let state = $0.refusal(at: now)?.rawValue ?? "live"
                    let only = $0.restriction?.names.joined(separator: " ") ?? "all"
                    return [$0.id.description, state, $0.expiresAt.wholeSeconds.description, only, $0.label]
                }, json: { JSON.view($0, of: user) })
        }
    }

    struct Revoke: CookbookCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Revokes a token, which is then refused.")
        static let httpWay = "POST /v1/users/{id}/tokens/{token}/revoke"
        @OptionGroup var options: StoreOptions

        @Argument(help: "The token's id, as 'larder users tokens' lists it.")
        var id: String

        func run(in cookbook: OpenCookbook) async throws {
            guard let token = EntityID<AccessToken>(id) else { throw noToken }
            try await options.record(act: "revoke token", ["token": "\(token)"])
            do {
                try Terminal.output("the token '\(try await cookbook.tokens.revoke(token).label)' is revoked")
            } catch PersistencyError.notFound {
                throw noToken
            }
        }

        private var noToken: CommandFailure {
            CommandFailure(
                .notFound, "unknown token '\(id)'", advice: "See 'larder users tokens EMAIL' for a list.")
        }
    }
}
