public import LarderInfrastructure

/// Which store, and how it is used.
public struct StoreSettings: Sendable, Equatable {
    public let location: StoreLocation
    /// When a commit counts as stored, where that can be chosen: in a SQLite database.
    public let durability: SQLiteStore.Durability
    /// What it is opened for, told to other processes that are kept out.
    public var purpose: String?
    /// Whether nothing is written. A SQLite database is then read beside a process that writes; the other kinds have no
    /// such way.
    public var isReadOnly = false
    /// How long opening waits for another process that has the store open.
    public var busyTimeout = Duration.seconds(5)
    /// Where it is reported that opening has dropped the end of a log.
    public var recoveryReport = RecoveryReport.standardError

    /// Where a recovery is reported.
    public enum RecoveryReport: Sendable, Equatable {
        /// On standard error, for the person who runs a command.
        case standardError
        /// As a warning in the log of a service.
        case log
    }

    public init(location: StoreLocation, durability: SQLiteStore.Durability = .full) {
        (self.location, self.durability) = (location, durability)
    }

    /// The settings that hold.
    ///
    /// - Throws: `CommandFailure` naming all that is wrong.
    public init(_ sources: SettingSources) throws(CommandFailure) {
        var reader = SettingReader(sources)
        self.init(&reader)
        try reader.check()
    }

    /// Reads the settings that hold. What is wrong is kept by the reader, whose `check()` must be called before these
    /// are used.
    public init(_ reader: inout SettingReader) {
        location = reader.read { sources throws(CommandFailure) in try Self.location(sources) } ?? .memory
        durability = reader.read { sources throws(CommandFailure) in try Self.knownDurability(sources) } ?? .full
    }

    private static func location(_ sources: SettingSources) throws(CommandFailure) -> StoreLocation {
        let store = try store(in: sources)
        do throws(StoreLocationError) {
            return try StoreLocation(store.value ?? "", environment: sources.environment)
        } catch {
            throw store.refusal(error.description)
        }
    }

    private static func knownDurability(_ sources: SettingSources) throws(CommandFailure) -> SQLiteStore.Durability {
        let durability = try durability(in: sources)
        guard let known = SQLiteStore.Durability(rawValue: durability.value ?? "") else {
            let all = SQLiteStore.Durability.allCases.map(\.rawValue).joined(separator: ", ")
            throw durability.refusal("'\(durability.value ?? "")' is no durability; it is one of \(all)")
        }
        return known
    }

    /// Settings for a store of the same kind and durability under another path; memory has none.
    public func moved(to path: String) -> StoreSettings {
        switch location {
        case .sqlite: StoreSettings(location: .sqlite(path: path), durability: durability)
        case .file: StoreSettings(location: .file(folder: path), durability: durability)
        case .memory: self
        }
    }

    /// What is set for the store, right or wrong.
    package static func store(in sources: SettingSources) throws(CommandFailure) -> EffectiveSetting {
        let name = ServiceIdentity.current.name
        return try sources.value(of: .store, default: "sqlite:\(sources.environment.data)/\(name)/\(name).sqlite")
    }

    /// What is set for the durability, right or wrong.
    package static func durability(in sources: SettingSources) throws(CommandFailure) -> EffectiveSetting {
        try sources.value(of: .durability, default: SQLiteStore.Durability.full.rawValue)
    }
}
