/// One thing that can be set: by a flag, by a variable of the environment, or in the settings file.
public struct Setting: Sendable, Hashable {
    /// Its name in the settings file, and as a flag: `store`.
    public let name: String
    /// Whether its value must not be shown.
    public let isSecret: Bool

    public init(_ name: String, isSecret: Bool = false) {
        (self.name, self.isSecret) = (name, isSecret)
    }

    /// The environment variable that sets it, with the prefix of the service: `LOANS_STORE`.
    public var variable: String {
        ServiceIdentity.current.variablePrefix + name.uppercased().replacing("-", with: "_")
    }

    public static let store = Setting("store")
    /// When a commit counts as stored.
    public static let durability = Setting("durability")
    public static let caller = Setting("as")
    /// Where more settings are; not in the settings file itself.
    public static let config = Setting("config")
}

public enum SettingSource: Sendable, Hashable {
    case flag
    case variable(String)
    case file(path: String)
    /// Nobody set it.
    case standard
}

extension SettingSource: CustomStringConvertible {
    public var description: String {
        switch self {
        case .flag: "flag"
        case .variable(let name): "environment variable \(name)"
        case .file(let path): "file \(path)"
        case .standard: "default"
        }
    }
}

/// A setting with the value that holds.
public struct EffectiveSetting: Sendable, Equatable {
    public let setting: Setting
    /// Its value; `nil` where it has none.
    public let value: String?
    public let source: SettingSource

    /// The value as it may be shown.
    public var shown: String? { setting.isSecret ? value.map { _ in "<hidden>" } : value }

    /// Refuses the value: from a flag it is a wrong command line, from elsewhere a wrong setting.
    ///
    /// - Parameter message: What is wrong with it.
    public func refusal(_ message: String) -> CommandFailure {
        switch source {
        case .flag: CommandFailure(.usage, message)
        case .variable, .file, .standard:
            CommandFailure(
                .configuration, "\(source): \(message)",
                advice: "See '\(ServiceIdentity.current.name) config' for what is set where.")
        }
    }
}
