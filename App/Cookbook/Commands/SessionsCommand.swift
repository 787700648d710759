internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

struct SessionsCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "Lists cooking sessions, oldest first, or the recipes cooked most.",
        discussion: "An instant is RFC 3339 (2026-03-01T18:30:00Z), or a day (2026-03-01) in UTC.")
    static let httpWay = "GET /v1/sessions"
    @OptionGroup var options: StoreOptions

    @Argument(help: "The e-mail of the user; optional with --as.")
    var email: String?

    @Option(
        help: ArgumentHelp("Only sessions that started at this instant, on this day, or later.", valueName: "instant"),
        transform: Instant.init)
    var since: Instant?

    @Option(
        help: ArgumentHelp("Only sessions that started before this instant, or up to this day.", valueName: "instant"),
        transform: Instant.init)
    var until: Instant?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("List this number of recipes with the most sessions instead.", valueName: "count"))
    var mostCooked: Int?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard let mostCooked else { return }
        if mostCooked < 1 { throw ValidationError("--most-cooked must be at least 1.") }
        guard email == nil, since == nil, until == nil else {
            throw ValidationError("--most-cooked counts all sessions; omit the e-mail, --since, and --until.")
        }
    }

    func run(in cookbook: OpenCookbook) async throws {
        if let mostCooked { return try await showMostCooked(mostCooked, in: cookbook) }
        let sessions = try await cookbook.sessions.of(
            try await user(in: cookbook).id, from: since?.start ?? .init(microseconds: .min),
            until: until?.end ?? .init(microseconds: .max))
        let names = try await cookbook.recipeNames(sessions.compactMap(\.recipe))
        try Terminal.output(
            sessions, asJSON: json, [.init("STARTED"), .init("RECIPE"), .init("REPETITIONS", isNumber: true)],
            row: { session in
                let name = session.recipe.flatMap { names[$0] } ?? "(deleted)"
                return [session.startedAt.wholeSeconds.description, name, String(session.repetitions)]
            }, json: { JSON.view($0.entity, recipe: $0.recipe.flatMap { names[$0] }) })
    }

    private func user(in cookbook: OpenCookbook) async throws -> User {
        if let email { return try await cookbook.user(email) }
        if let user = cookbook.user { return user }
        throw CommandFailure(
            .usage, "only a user can have sessions",
            advice: "Choose a user with --as EMAIL, or name one: larder sessions EMAIL")
    }

    private func showMostCooked(_ limit: Int, in cookbook: OpenCookbook) async throws {
        let counts = try await cookbook.sessions.mostCooked(limit: limit)
        let names = try await cookbook.recipeNames(counts.map(\.recipe))
        try Terminal.output(
            counts, asJSON: json, [.init("RECIPE"), .init("SESSIONS", isNumber: true)],
            row: { [names[$0.recipe] ?? "", String($0.sessions)] },
            json: { JSON.sorted(["recipe": names[$0.recipe], "recipeID": $0.recipe, "sessions": $0.sessions]) })
    }
}
