internal import Configuration

#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// All places where settings are looked for: the command line first, then the environment, then the settings file.
public struct SettingSources: Sendable {
    private struct Layer {
        let source: @Sendable (Setting) -> SettingSource
        let provider: any ConfigProvider
    }

    /// The environment, which also says what the defaults are.
    public let environment: UserEnvironment
    /// Where the settings file is, or would be; known as soon as the layers before it are.
    private var file: EffectiveSetting?
    private var layers: [Layer]

    /// Reads the settings file that the flags or the environment name, or the usual one if it is there.
    ///
    /// - Parameter flags: Values by the names of settings.
    /// - Throws: `CommandFailure` when the file cannot be read, or a file that was named is not there.
    public init(flags: [String: String], environment: UserEnvironment) async throws(CommandFailure) {
        self.environment = environment
        let identity = ServiceIdentity.current
        let arguments = InMemoryProvider(
            values: .init(
                uniqueKeysWithValues: flags.map { (AbsoluteConfigKey([$0]), .init(.string($1), isSecret: false)) }))
        // An empty variable is one that is not set.
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
    }

    /// The value that holds.
    ///
    /// - Parameter standard: The value where nobody set one.
    /// - Throws: `CommandFailure` when the settings file has something else than text there.
    public func value(of setting: Setting, default standard: String? = nil) throws(CommandFailure) -> EffectiveSetting {
        // The settings file cannot name another one.
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
                    "'\(setting.name)' is no text")
            }
        }
        return EffectiveSetting(setting: setting, value: standard, source: .standard)
    }

    /// The value that holds of a setting that may be a number in the settings file, as text.
    ///
    /// - Parameter standard: The value where nobody set one.
    /// - Throws: `CommandFailure` when the settings file has something else than text or an integer there.
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
                "the settings file \(path) \(isReadable ? "is no JSON object" : "is not there, or may not be read")",
                advice: "It is JSON, such as {\"store\": \"memory:\"}; --config FILE names another.")
        }
    }
}
