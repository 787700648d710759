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

    public init() {}

    /// Prints the settings, then the errors in them, if any.
    public func run() async throws {
        let flags = [server.flags, firstOperator.flags, others.flags].reduce(into: [:]) { $0.merge($1) { $1 } }
        let sources = try await options.sources(with: flags)
        let all: [EffectiveSetting] =
            [
                try StoreSettings.store(in: sources), try StoreSettings.durability(in: sources),
                try sources.value(of: .caller), try sources.value(of: .config),
            ] + (try ServerSettings.effective(in: sources)) + [try sources.value(of: .firstOperator)]
            + (try Program.effectiveSettings(in: sources))
        try Terminal.output(
            all, asJSON: json, [.init("SETTING"), .init("VALUE", isKey: true), .init("FROM", isKey: true)],
            row: { [$0.setting.name, $0.shown ?? "(none)", $0.source.description] },
            json: { JSON.sorted(["name": $0.setting.name, "value": $0.shown, "source": $0.source.description]) })
        var reader = SettingReader(sources)
        _ = StoreSettings(&reader)
        _ = ServerSettings(&reader)
        try reader.check()
    }
}
