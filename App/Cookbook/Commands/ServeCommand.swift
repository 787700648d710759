internal import ArgumentParser
internal import LarderApp
internal import LarderHTTP

/// `larder serve`
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves the cookbook over HTTP until it is told to stop.",
        discussion: """
            Requests are answered on behalf of whoever's token they carry; see /docs there, and 'larder users token \
            --help'. The first start makes an admin with a token, which is shown once. SIGTERM and SIGINT end it: \
            requests that run are answered, then the store is closed.
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var others: FirstAdminOptions

    @Flag(help: "For a developer's own machine: prints a token of an admin that holds for a day, and where to look.")
    var development = false

    func run() async throws { try await run(with: Container()) }

    /// Runs with another container, as tests do.
    func run(with container: Container) async throws {
        let sources = try await options.sources(with: server.flags.merging(others.flags) { $1 })
        let settings = try CookbookSettings(sources, isDevelopment: development)
        try await container.serve(settings)
    }
}

/// The option of the first admin.
struct FirstAdminOptions: SettingOptions {
    @Option(
        name: .customLong("http-first-admin"),
        help: ArgumentHelp(
            "Who is made admin where there is none yet.",
            discussion: "Also \(Setting.firstAdmin.variable). Needed for the first start with --http-tls upstream.",
            valueName: "email"))
    var firstAdmin: String?

    var flags: [Setting: String?] { [.firstAdmin: firstAdmin] }
}
