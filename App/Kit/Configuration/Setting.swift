public import ArgumentParser
internal import LarderInfrastructure

/// A setting: a flag, an environment variable, or a member of the settings file.
public struct Setting: Sendable, Hashable {
    /// The name in the settings file and of the flag: `store`.
    public let name: String
    /// Its effect and valid values, for the help and the reference.
    public let meaning: String
    /// Whether the value is a secret and must not be shown.
    public let isSecret: Bool

    /// Creates a setting. Only those in ``ServiceProgram/settings`` may be set.
    public init(_ name: String, _ meaning: String, isSecret: Bool = false) {
        (self.name, self.meaning, self.isSecret) = (name, meaning, isSecret)
    }

    /// The environment variable, with the prefix of the service: `LOANS_STORE`.
    public var variable: String {
        ServiceIdentity.current.variablePrefix + name.uppercased().replacing("-", with: "_")
    }

    /// The text of the option that sets it.
    ///
    /// - Parameters:
    ///   - standard: The default value.
    ///   - valueName: The name of the value in the help; by default that of the option.
    public func help(default standard: String? = nil, valueName: String? = nil) -> ArgumentHelp {
        let note = standard.map { " Default: \($0)." } ?? ""
        return ArgumentHelp("\(meaning)", discussion: "Also \(variable).\(note)", valueName: valueName)
    }

    /// The store that a command opens.
    public static let store = Setting(
        "store", "The store: sqlite:PATH, file:DIR, postgres://…, memory:, mirrored(STORE, STORE), or read-only(STORE)."
    )
    /// When a commit counts as durable.
    public static let durability = Setting(
        "durability",
        "The durability of commits in sqlite: \(SQLiteStore.Durability.words). file: always syncs each commit.")
    /// The changes of the schemas that opening a store applies.
    public static let migrations = Setting(
        "migrations",
        "The changes of the schemas that opening a store applies: additions, all, or none. Others are refused; "
            + "'migrate' applies them.")
    /// The maximum number of connections to a PostgreSQL database.
    public static let postgresConnections = Setting(
        "postgres-connections",
        "The maximum number of connections to a PostgreSQL database, up to \(StoreSettings.connectionCount.upperBound)."
    )
    /// The replicas of a PostgreSQL database.
    public static let postgresReplica = Setting(
        "postgres-replica",
        "A connection string of the replicas of a PostgreSQL database, for requests with Store-Position.",
        isSecret: true)
    /// The maximum number of changes in the journal; 0 for no journal.
    public static let journalChanges = Setting(
        "journal-changes",
        "The maximum number of changes that the journal of a store retains, up to "
            + "\(StoreSettings.journalChanges.upperBound); 0 for no journal.")
    /// The maximum age of changes in the journal.
    public static let journalAge = Setting(
        "journal-age",
        "The maximum age of the changes in the journal, from \(StoreSettings.journalAge.lowerBound.settingText) to "
            + "\(StoreSettings.journalAge.upperBound.settingText).")
    /// The passphrase of a sealed store.
    public static let passphrase = Setting(
        "passphrase",
        "The passphrase of a sealed file: store, or of a sealed sqlite: database in programs with SQLCipher's library.",
        isSecret: true)
    /// The path of a file with the passphrase.
    public static let passphraseFile = Setting(
        "passphrase-file", "A file with the passphrase, which other users cannot read.")
    /// The keys of sealed columns.
    public static let sealingKeys = Setting(
        "sealing-keys", "The keys of sealed columns, each in a line with its id. The first one is for new values.",
        isSecret: true)
    /// The path of a file with the keys of sealed columns.
    public static let sealingKeyFile = Setting(
        "sealing-key-file", "A file with the keys of sealed columns, which other users cannot read.")
    /// The path of the file with what operators do by commands.
    public static let operatorLog = Setting(
        "operator-log", "A file to which commands append what operators do, in lines of JSON.")
    /// The acting user of a command, by e-mail.
    public static let caller = Setting("as", "The e-mail of the acting user. Without it, every operation is allowed.")
    /// The path of the settings file; not allowed in the settings file itself.
    public static let config = Setting("config", "A settings file in JSON.")
}

/// The origin of a setting's value.
public enum SettingSource: Sendable, Hashable {
    /// The command line.
    case flag
    /// An environment variable, by name.
    case variable(String)
    /// The settings file.
    case file(path: String)
    /// The default value: no source sets it.
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

/// A setting with its effective value.
public struct EffectiveSetting: Sendable, Equatable {
    /// The setting.
    public let setting: Setting
    /// The value; `nil` if there is none.
    public let value: String?
    /// The origin of the value.
    public let source: SettingSource

    /// The value for display; secrets are hidden.
    public var shown: String? { setting.isSecret ? value.map { _ in "<hidden>" } : value }

    /// The error for an invalid value: `usage` if it comes from a flag, otherwise `configuration`.
    ///
    /// - Parameter message: The reason.
    public func refusal(_ message: String) -> CommandFailure {
        switch source {
        case .flag: CommandFailure(.usage, message)
        case .variable, .file, .standard:
            CommandFailure(
                .configuration, "\(source): \(message)",
                advice: "See '\(ServiceIdentity.current.name) config' for all settings and their sources.")
        }
    }
}
