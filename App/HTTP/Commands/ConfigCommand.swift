public import ArgumentParser
public import LarderApp

/// `config`: prints the effective settings and their sources.
public struct ConfigCommand<Program: ServiceProgram>: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "config",
            abstract: "Prints the effective settings and their sources.",
            discussion: """
                A flag overrides an environment variable, a variable overrides the settings file, and the file \
                overrides the default. Secrets are hidden. The command neither opens the store nor serves.
                """)
    }

    @OptionGroup var options: StoreOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var firstOperator: OperatorOptions
    @OptionGroup var others: Program.Options

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Print a Markdown table of all settings and their defaults instead.")
    var reference = false

    public init() {}

    public func validate() throws {
        if json, reference { throw ValidationError("--reference prints Markdown, not JSON") }
    }

    /// Prints the settings, then the errors in them, if any.
    public func run() async throws {
        let flags = [server.flags, firstOperator.flags, others.flags].reduce(into: [:]) { $0.merge($1) { $1 } }
        guard !reference else { return try await printReference(flags.merging(options.flags) { $1 }) }
        let sources = try await options.sources(with: flags)
        try Terminal.output(
            try Self.all(in: sources), asJSON: json,
            [.init("SETTING"), .init("VALUE", isKey: true), .init("FROM", isKey: true)],
            row: { [$0.setting.name, $0.shown ?? "(none)", $0.source.description] },
            json: { JSON.sorted(["name": $0.setting.name, "value": $0.shown, "source": $0.source.description]) })
        var reader = SettingReader(sources)
        _ = StoreSettings(&reader)
        _ = ServerSettings(&reader)
        try reader.check()
    }

    private static func all(in sources: SettingSources) throws -> [EffectiveSetting] {
        try StoreSettings.effective(in: sources)
            + [Setting.operatorLog, .caller, .config].map { try sources.value(of: $0) }
            + ServerSettings.effective(in: sources) + [sources.value(of: .firstOperator)]
            + Program.effectiveSettings(in: sources)
    }

    /// - Parameter flags: The settings with an option.
    private func printReference(_ flags: [Setting: String?]) async throws {
        // Neither the user's variables nor the user's file, so that the values are the defaults.
        let sources = try await SettingSources(flags: [:], environment: UserEnvironment(["HOME": "~"]))
        try Terminal.output("| Setting | Option | Variable | Default | Meaning |\n|---|---|---|---|---|")
        for found in try Self.all(in: sources) {
            let (setting, standard) = (found.setting, found.value.map { "`\($0)`" } ?? "")
            let option = flags.keys.contains(setting) ? "yes" : "no"
            try Terminal.output(
                "| `\(setting.name)` | \(option) | `\(setting.variable)` | \(standard) | \(setting.meaning) |")
        }
    }
}
