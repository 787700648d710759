public import ArgumentParser
internal import LarderInfrastructure

/// The options of every command with a store: the store, its durability, the user, and the settings file.
///
/// Precedence: flag, environment variable (`LOANS_STORE`), settings file, default.
public struct StoreOptions: ParsableArguments {
    /// The notation of the store, such as `sqlite:PATH`; `nil` if the option is not set.
    @Option(
        help: Setting.store.help(default: "a database in your data folder"),
        completion: .list(["sqlite:", "file:", "postgres:", "memory:"]))
    public var store: String?

    /// When a commit counts as durable; `nil` if the option is not set.
    @Option(
        help: Setting.durability.help(default: "full"),
        completion: .list(SQLiteStore.Durability.allCases.map(\.rawValue)))
    public var durability: String?

    /// The e-mail of the acting user; `nil` if the option is not set.
    @Option(name: .customLong("as"), help: Setting.caller.help(valueName: "email"))
    public var caller: String?

    /// The path of the settings file; `nil` if the option is not set.
    @Option(
        help: Setting.config.help(
            default: "\(ServiceIdentity.current.name)/config.json in your settings folder, if it exists",
            valueName: "file"),
        completion: .file(extensions: ["json"]))
    public var config: String?

    public init() {}

    /// The values by their settings.
    package var flags: [Setting: String?] {
        [.store: store, .durability: durability, .caller: caller, .config: config]
    }

    /// All sources of settings, starting with these options.
    ///
    /// Reports unknown variables with the service's prefix on standard error, once for each program run.
    ///
    /// - Parameters:
    ///   - others: Further flags of the command.
    ///   - environment: The environment variables.
    /// - Throws: `CommandFailure` as ``SettingSources/init(flags:environment:settings:)``.
    public func sources(
        with others: [Setting: String?] = [:], in environment: UserEnvironment = .current
    ) async throws(CommandFailure) -> SettingSources {
        let sources = try await unreportedSources(with: others, in: environment)
        if RunningProgram.current?.isFirstReport == true {
            for name in sources.unknownVariables {
                Terminal.warn("the environment variable \(name) is not a setting, and has no effect")
            }
        }
        return sources
    }

    /// The same, for a service, which reports unknown variables in its log.
    package func unreportedSources(
        with others: [Setting: String?], in environment: UserEnvironment = .current
    ) async throws(CommandFailure) -> SettingSources {
        let named = flags.merging(others) { $1 }.compactMap { setting, value in value.map { (setting.name, $0) } }
        return try await SettingSources(
            flags: .init(named) { $1 }, environment: environment, settings: RunningProgram.current?.program.settings)
    }

    /// The effective settings from all sources.
    ///
    /// - Throws: `CommandFailure` that names the invalid setting.
    public func settings(in environment: UserEnvironment = .current) async throws(CommandFailure) -> StoreSettings {
        try StoreSettings(try await sources(in: environment))
    }

    /// The settings of a temporary store of the same kind in another place; `sqlite:` or `file:` is enough to name the
    /// kind.
    ///
    /// - Throws: `CommandFailure` that names the invalid setting.
    public func scratchSettings(
        path: String, in environment: UserEnvironment = .current
    ) async throws(CommandFailure) -> StoreSettings {
        var options = self
        let text = try await sources(in: environment).value(of: .store).value ?? "sqlite:"
        for kind in ["sqlite:", "file:"] where text.hasPrefix(kind) { options.store = kind + path }
        return try await options.settings(in: environment)
    }
}
