internal import Configuration

#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// All sources of settings, in order of precedence: command line, environment, settings file.
public struct SettingSources: Sendable {
    private struct Layer {
        let source: @Sendable (Setting) -> SettingSource
        let provider: any ConfigProvider
    }

    /// The environment, from which defaults are derived, too.
    public let environment: UserEnvironment
    /// The path of the settings file, whether it exists or not; resolved before the file is read.
    private var file: EffectiveSetting?
    private var layers: [Layer] = []
    /// The variables with the service's prefix that are neither settings nor misspelt ones, by name; empty if the
    /// settings of the program are not known.
    public private(set) var unknownVariables: [String] = []

    /// Reads the settings file that the flags or the environment name, otherwise the default one if it exists.
    ///
    /// - Parameters:
    ///   - flags: Values, keyed by the names of settings.
    ///   - environment: The variables, and the folder of the default file.
    ///   - settings: All settings of the program; `nil` if they are not known, and unknown names are ignored.
    /// - Throws: `CommandFailure` when the file cannot be read, or a named file does not exist; for an unknown setting in
    ///   the file; for a variable within two edits of a setting's; and for a file with a secret that others can read.
    public init(
        flags: [String: String], environment: UserEnvironment, settings: [Setting]? = nil
    ) async throws(CommandFailure) {
        self.environment = environment
        let identity = ServiceIdentity.current
        let names = settings.map { SettingNames(settings: $0, identity: identity) }
        unknownVariables = try names?.unknown(in: environment.variables) ?? []
        let arguments = InMemoryProvider(
            values: .init(
                uniqueKeysWithValues: flags.map { (AbsoluteConfigKey([$0]), .init(.string($1), isSecret: false)) }))
        // An empty variable counts as unset.
        let variables = EnvironmentVariablesProvider(
            environmentVariables: environment.variables.filter { !$0.value.isEmpty }
        ).prefixKeys(with: ConfigKey([identity.name]))
        layers = [
            Layer(source: { _ in .flag }, provider: arguments),
            Layer(source: { .variable($0.variable) }, provider: variables),
        ]
        let usual = "\(environment.settings)/\(identity.name)/config.json"
        let named = try value(of: .config, default: usual)
        let path = environment.expanding(named.value ?? usual)
        file = EffectiveSetting(setting: .config, value: path, source: named.source)
        let isNamed = named.source != .standard
        layers.append(
            Layer(source: { _ in .file(path: path) }, provider: try await Self.file(path, allowMissing: !isNamed)))
        try names?.check(file: path)
    }

    /// No sources: all settings have their defaults.
    package init() {
        environment = UserEnvironment([:])
    }

    /// The effective value.
    ///
    /// - Parameters:
    ///   - setting: The setting.
    ///   - standard: The default value.
    /// - Throws: `CommandFailure` when the value in the settings file is not text.
    public func value(of setting: Setting, default standard: String? = nil) throws(CommandFailure) -> EffectiveSetting {
        // The settings file cannot name another settings file.
        if let file, setting == .config { return file }
        for layer in layers {
            let key = AbsoluteConfigKey([setting.name])
            let source = layer.source(setting)
            do {
                let found = try layer.provider.value(forKey: key, type: .string).value
                guard case .string(let text)? = found?.content else { continue }
                return EffectiveSetting(setting: setting, value: text, source: source)
            } catch {
                throw EffectiveSetting(setting: setting, value: nil, source: source).refusal(
                    "'\(setting.name)' must be a string")
            }
        }
        return EffectiveSetting(setting: setting, value: standard, source: .standard)
    }

    /// The effective value, as text, of a setting that may be a number in the settings file.
    ///
    /// - Parameters:
    ///   - setting: The setting.
    ///   - standard: The default value.
    /// - Throws: `CommandFailure` when the value in the settings file is neither text nor an integer.
    public func number(
        of setting: Setting, default standard: String? = nil
    ) throws(CommandFailure) -> EffectiveSetting {
        do throws(CommandFailure) {
            return try value(of: setting, default: standard)
        } catch {
            let key = AbsoluteConfigKey([setting.name])
            for layer in layers {
                guard let found = try? layer.provider.value(forKey: key, type: .int).value,
                    case .int(let number) = found.content
                else { continue }
                return EffectiveSetting(setting: setting, value: String(number), source: layer.source(setting))
            }
            throw error
        }
    }

    private static func file(_ path: String, allowMissing: Bool) async throws(CommandFailure) -> any ConfigProvider {
        let source = InMemoryProvider(values: [
            "filePath": ConfigValue(.string(path), isSecret: false),
            "allowMissing": ConfigValue(.bool(allowMissing), isSecret: false),
        ])
        do {
            return try await FileProvider<JSONSnapshot>(config: ConfigReader(provider: source))
        } catch {
            let isReadable = FileManager.default.isReadableFile(atPath: path)
            throw CommandFailure(
                .configuration,
                "the settings file \(path) \(isReadable ? "is not a JSON object" : "is missing or not readable")",
                advice: "It is JSON, such as {\"store\": \"memory:\"}; choose another file with --config FILE.")
        }
    }
}
