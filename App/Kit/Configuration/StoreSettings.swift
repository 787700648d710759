public import LarderData
public import LarderInfrastructure

/// The location of a store and the options for opening it.
public struct StoreSettings: Sendable {
    /// The location.
    public internal(set) var location: StoreLocation
    /// When a commit counts as durable; configurable for SQLite databases only.
    public let durability: SQLiteStore.Durability
    /// The number and age of the changes that the store's journal retains; `nil` for no journal.
    public let journal: JournalBounds?
    /// The maximum number of connections to a PostgreSQL database.
    public var connections = Self.standardConnections
    /// The replicas of a PostgreSQL database, which may answer reads that permit it; `nil` without replicas.
    public var replica: PostgresLocation?
    var secrets = StoreSecrets()
    /// The purpose of opening it, shown to other processes while they are locked out.
    public var purpose: String?
    /// Whether the store is opened for reading only. A SQLite or PostgreSQL database can then be read while other
    /// processes write; a file store cannot.
    public var isReadOnly = false
    /// Whether opening the store for reading changes and creates no file: a store that is missing, or a database that awaits
    /// a migration, is refused. A file store is then read as it is at that time.
    public var createsNothing = false
    /// The maximum time to wait for another process that has the store open.
    public var busyTimeout = Duration.seconds(5)
    /// The changes of the schemas that opening the store applies.
    public var migration = MigrationOptions()
    /// The destination of the report that opening has dropped the end of a log.
    public var recoveryReport = RecoveryReport.standardError

    /// The destination of recovery reports.
    public enum RecoveryReport: Sendable, Equatable {
        /// Standard error, for the user of a command.
        case standardError
        /// As a warning in the log of a service.
        case log
    }

    /// The valid values of the journal's settings.
    static let journalChanges = 0...1_000_000_000
    static let connectionCount = 1...1000
    private static let standardConnections = 8
    static let journalAge: ClosedRange<Duration> = .seconds(60) ... .seconds(3_650 * 86_400)

    /// Creates settings, the others with their defaults.
    public init(
        location: StoreLocation, durability: SQLiteStore.Durability = .full, journal: JournalBounds? = JournalBounds()
    ) {
        (self.location, self.durability, self.journal) = (location, durability, journal)
    }

    /// Reads the effective settings.
    ///
    /// - Throws: `CommandFailure` that lists all errors.
    public init(_ sources: SettingSources) throws(CommandFailure) {
        var reader = SettingReader(sources)
        self.init(&reader)
        try reader.check()
    }

    /// Reads the effective settings. The reader collects errors; its `check()` must be called before these settings are
    /// used.
    public init(_ reader: inout SettingReader) {
        location = reader.read { sources throws(CommandFailure) in try Self.location(sources) } ?? .memory
        durability = reader.read { sources throws(CommandFailure) in try Self.knownDurability(sources) } ?? .full
        var bounds = JournalBounds()
        bounds.changes = reader.integer(.journalChanges, default: bounds.changes, in: Self.journalChanges)
        bounds.age = reader.duration(.journalAge, default: bounds.age, in: Self.journalAge)
        journal = bounds.changes > 0 ? bounds : nil
        if case .postgres = location, journal == nil,
            let setting = reader.read({ sources throws(CommandFailure) in try sources.number(of: .journalChanges) })
        {
            reader.refuse(setting, "a PostgreSQL store needs its journal: set journal-changes to 1 or more")
        }
        connections = reader.integer(
            .postgresConnections, default: Self.standardConnections, in: Self.connectionCount)
        replica =
            reader.read { [location] sources throws(CommandFailure) in try Self.replica(of: location, sources) } ?? nil
        secrets = StoreSecrets(&reader, location)
        migration.mode = reader.read { sources throws(CommandFailure) in try Self.knownMode(sources) } ?? .additions
    }

    private static func location(_ sources: SettingSources) throws(CommandFailure) -> StoreLocation {
        let store = try store(in: sources)
        do throws(StoreLocationError) {
            let location = try StoreLocation(store.value ?? "", environment: sources.environment)
            if store.source == .flag { try location.checkCommandLine() }
            return location
        } catch {
            throw store.refusal(error.description)
        }
    }

    private static func replica(
        of location: StoreLocation, _ sources: SettingSources
    ) throws(CommandFailure) -> PostgresLocation? {
        let setting = try sources.value(of: .postgresReplica)
        guard let text = setting.value else { return nil }
        guard case .postgres = location else { throw setting.refusal("only a store in PostgreSQL has replicas") }
        do throws(StoreLocationError) {
            guard case .postgres(let replica) = try PostgresLocation.parse(text) else { return nil }
            return replica
        } catch {
            throw setting.refusal(error.description)
        }
    }

    private static func knownDurability(_ sources: SettingSources) throws(CommandFailure) -> SQLiteStore.Durability {
        let durability = try durability(in: sources)
        guard let known = SQLiteStore.Durability(rawValue: durability.value ?? "") else {
            throw durability.refusal("invalid durability '\(durability.value ?? "")': use full, normal, or off")
        }
        return known
    }

    private static func knownMode(_ sources: SettingSources) throws(CommandFailure) -> MigrationOptions.Mode {
        let mode = try migrations(in: sources)
        guard let known = MigrationOptions.Mode(rawValue: mode.value ?? "") else {
            throw mode.refusal("invalid migrations '\(mode.value ?? "")': use additions, all, or none")
        }
        return known
    }

    /// Settings for a store of the same kind, durability, journal and secrets under another path; unchanged for a store without a
    /// path.
    public func moved(to path: String) -> StoreSettings {
        let location: StoreLocation
        switch self.location {
        case .sqlite: location = .sqlite(path: path)
        case .file: location = .file(folder: path)
        case .memory, .postgres, .mirrored, .readOnly: return self
        }
        var settings = StoreSettings(location: location, durability: durability, journal: journal)
        settings.secrets = secrets
        return settings
    }

    /// The setting of the store, valid or not.
    package static func store(in sources: SettingSources) throws(CommandFailure) -> EffectiveSetting {
        let name = ServiceIdentity.current.name
        return try sources.value(of: .store, default: "sqlite:\(sources.environment.data)/\(name)/\(name).sqlite")
    }

    /// The same for display, without a password.
    static func shownStore(in sources: SettingSources) throws(CommandFailure) -> EffectiveSetting {
        let store = try store(in: sources)
        let location = store.value.flatMap { try? StoreLocation($0, environment: sources.environment) }
        let isDatabase = store.value?.contains("postgres") == true
        let shown = isDatabase ? location?.description ?? "<hidden>" : store.value
        return EffectiveSetting(setting: store.setting, value: shown, source: store.source)
    }

    /// The setting of the migrations, valid or not.
    package static func migrations(in sources: SettingSources) throws(CommandFailure) -> EffectiveSetting {
        try sources.value(of: .migrations, default: MigrationOptions.Mode.additions.rawValue)
    }

    /// The setting of the durability, valid or not.
    package static func durability(in sources: SettingSources) throws(CommandFailure) -> EffectiveSetting {
        try sources.value(of: .durability, default: SQLiteStore.Durability.full.rawValue)
    }

    /// All settings of a store, valid or not.
    package static func effective(in sources: SettingSources) throws(CommandFailure) -> [EffectiveSetting] {
        let standard = JournalBounds()
        return [
            try shownStore(in: sources), try durability(in: sources), try migrations(in: sources),
            try sources.number(of: .postgresConnections, default: String(standardConnections)),
            try sources.value(of: .postgresReplica),
            try sources.number(of: .journalChanges, default: String(standard.changes)),
            try sources.value(of: .journalAge, default: standard.age.settingText),
            try sources.value(of: .passphrase), try sources.value(of: .passphraseFile),
            try sources.value(of: .sealingKeys), try sources.value(of: .sealingKeyFile),
        ]
    }
}

extension StoreSettings: Equatable {
    /// Compares everything except the receiver of progress and the secrets.
    public static func == (lhs: StoreSettings, rhs: StoreSettings) -> Bool {
        (lhs.location, lhs.durability, lhs.journal, lhs.connections, lhs.purpose, lhs.isReadOnly) == (
            rhs.location, rhs.durability, rhs.journal, rhs.connections, rhs.purpose, rhs.isReadOnly
        )
            && (lhs.createsNothing, lhs.replica) == (rhs.createsNothing, rhs.replica)
            && (lhs.busyTimeout, lhs.migration.mode, lhs.migration.copies, lhs.recoveryReport) == (
                rhs.busyTimeout, rhs.migration.mode, rhs.migration.copies, rhs.recoveryReport
            )
    }
}
