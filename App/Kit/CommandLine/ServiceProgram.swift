public import ArgumentParser
public import LarderData

/// A service's program, for the commands of the kit: ``CheckCommand``, ``CompactCommand``, ``LogCommand``,
/// ``MigrateCommand``, ``PassphraseCommand``, ``RenewCommand``, ``RestoreCommand``, ``RotateKeysCommand``, and
/// ``VerifyCommand``.
///
/// ```swift
/// subcommands: [AddLoan.self, VerifyCommand<Loans>.self, CompactCommand<Loans>.self]
/// ```
public protocol ServiceProgram: Sendable {
    /// The service's name.
    static var identity: ServiceIdentity { get }
    /// The mappers of all entities in the store.
    static var mappers: [any EntityMapper.Type] { get }
    /// The version of the schemas, and the steps that lead to it; version 1 by default.
    static var evolution: SchemaEvolution { get }
    /// The options of additional settings that `serve` and `config` accept.
    associatedtype Options: SettingOptions = NoOptions
    /// Additional settings of the service, valid or not, for `config`.
    static func effectiveSettings(in sources: SettingSources) throws -> [EffectiveSetting]
    /// All settings of the program. Others are refused in the settings file. By default those of stores and the
    /// additional ones; a program with an API also has those of the server.
    static var settings: [Setting] { get }
}

extension ServiceProgram {
    public static func effectiveSettings(in sources: SettingSources) throws -> [EffectiveSetting] { [] }

    public static var evolution: SchemaEvolution { .initial }

    public static var settings: [Setting] { ownSettings }

    /// The settings of stores, and the additional ones.
    package static var ownSettings: [Setting] {
        let defaults = SettingSources()
        let effective = [try? StoreSettings.effective(in: defaults), try? effectiveSettings(in: defaults)]
        return effective.compactMap(\.self).joined().map(\.setting) + [.operatorLog, .caller, .config]
    }

    /// The schemas of the store.
    package static var schemas: SchemaSet { get throws { try MapperSet(mappers, evolution: evolution).schemas } }
}

/// Command-line options that set settings.
public protocol SettingOptions: ParsableArguments {
    /// The values of the options, keyed by setting; `nil` for an option that is not given.
    var flags: [Setting: String?] { get }
}

/// No additional options.
public struct NoOptions: SettingOptions {
    public init() {}
    public var flags: [Setting: String?] { [:] }
}
