public import ArgumentParser
internal import LarderInfrastructure

/// The options of every command with a store: the store, its durability, the user, and the settings file.
///
/// Precedence: flag, environment variable (`LOANS_STORE`), settings file, default.
public struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The store: sqlite:PATH, file:DIR, or memory:.",
            discussion:
                "Also \(Setting.store.variable), or 'store' in the settings file. Default: a database in your data folder.",
            valueName: "store"),
        completion: .list(["sqlite:", "file:", "memory:"]))
    public var store: String?

    @Option(
        help: ArgumentHelp(
            "The durability of commits: full, normal, or off. Also \(Setting.durability.variable). Default: full.",
            discussion: "For sqlite: only; file: always syncs each commit."),
        completion: .list(SQLiteStore.Durability.allCases.map(\.rawValue)))
    public var durability: String?

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The e-mail of the acting user.",
            discussion: "Also \(Setting.caller.variable). Without it, every operation is allowed.",
            valueName: "email"))
    public var caller: String?

    @Option(
        help: ArgumentHelp(
            "A settings file in JSON.",
            discussion:
                "Also \(Setting.config.variable). Default: \(ServiceIdentity.current.name)/config.json in your settings folder, if it exists.",
            valueName: "file"),
        completion: .file(extensions: ["json"]))
    public var config: String?

    public init() {}

    /// All sources of settings, starting with these options.
    ///
    /// - Parameter others: Further flags of the command.
    /// - Throws: `CommandFailure` when the settings file cannot be read.
    public func sources(
        with others: [Setting: String?] = [:], in environment: UserEnvironment = .current
    ) async throws(CommandFailure) -> SettingSources {
        let named = [Setting.store: store, .durability: durability, .caller: caller, .config: config]
            .merging(others) { $1 }
        let flags = named.compactMap { setting, value in value.map { (setting.name, $0) } }
        return try await SettingSources(flags: .init(flags) { $1 }, environment: environment)
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
