public import LarderData

/// A service's program, for the commands of the kit: ``CheckCommand``, ``CompactCommand``, ``LogCommand``, and
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
    /// Further settings of the service, valid or not, for `config`.
    static func effectiveSettings(in sources: SettingSources) throws -> [EffectiveSetting]
}

extension ServiceProgram {
    /// None.
    public static func effectiveSettings(in sources: SettingSources) throws -> [EffectiveSetting] { [] }

    /// The schemas of the store.
    static var schemas: SchemaSet { get throws { try MapperSet(mappers).schemas } }
}
