public import ArgumentParser
internal import LarderInfrastructure

/// The options that every command with a store has: which store, how durable, who asks, and where more settings are.
///
/// A flag comes before a variable of the environment (`LOANS_STORE`), that before the settings file, and that before
/// the default.
public struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The store: sqlite:PATH, file:DIR or memory:.",
            discussion:
                "Also \(Setting.store.variable), or 'store' in the settings file. Default: a database in your data folder.",
            valueName: "store"),
        completion: .list(["sqlite:", "file:", "memory:"]))
    public var store: String?

    @Option(
        help: ArgumentHelp(
            "When a commit counts as stored: full, normal or off. Also \(Setting.durability.variable). Default: full.",
            discussion: "For sqlite: alone; file: syncs each commit."),
        completion: .list(SQLiteStore.Durability.allCases.map(\.rawValue)))
    public var durability: String?

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The user who asks, by e-mail.",
            discussion: "Also \(Setting.caller.variable). Without it, every operation is allowed.",
            valueName: "email"))
    public var caller: String?

    @Option(
        help: ArgumentHelp(
            "A settings file in JSON.",
            discussion:
                "Also \(Setting.config.variable). Default: \(ServiceIdentity.current.name)/config.json in your settings folder, if it is there.",
            valueName: "file"),
        completion: .file(extensions: ["json"]))
    public var config: String?

    public init() {}

    /// All places where settings are looked for, these options first.
    ///
    /// - Parameter others: The flags that a command has beside these.
    /// - Throws: `CommandFailure` when the settings file cannot be read.
    public func sources(
        with others: [Setting: String?] = [:], in environment: UserEnvironment = .current
    ) async throws(CommandFailure) -> SettingSources {
        let named = [Setting.store: store, .durability: durability, .caller: caller, .config: config]
            .merging(others) { $1 }
        let flags = named.compactMap { setting, value in value.map { (setting.name, $0) } }
        return try await SettingSources(flags: .init(flags) { $1 }, environment: environment)
    }

    /// The settings that hold, from all sources.
    ///
    /// - Throws: `CommandFailure` naming the setting that is wrong.
    public func settings(in environment: UserEnvironment = .current) async throws(CommandFailure) -> StoreSettings {
        try StoreSettings(try await sources(in: environment))
    }

    /// The settings of a store of the same kind in another place, for trials: `sqlite:` or `file:` is enough to name the
    /// kind.
    ///
    /// - Throws: `CommandFailure` naming the setting that is wrong.
    public func scratchSettings(
        path: String, in environment: UserEnvironment = .current
    ) async throws(CommandFailure) -> StoreSettings {
        var options = self
        let text = try await sources(in: environment).value(of: .store).value ?? "sqlite:"
        for kind in ["sqlite:", "file:"] where text.hasPrefix(kind) { options.store = kind + path }
        return try await options.settings(in: environment)
    }
}
