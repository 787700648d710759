internal import CLarderSQLite
public import LarderData
public import LarderDomain

extension SQLiteStore {
    /// Seals a plain database, gives a sealed one another passphrase, or removes its seal. Requires the trait `SQLCipher`.
    ///
    /// The content is copied to a new file under the new passphrase, which is synced and then replaces the old one, as in
    /// a restore: `rekey` cannot run while the database has a write-ahead log, and an interruption would leave the file
    /// under two keys. Copies that earlier migrations have made keep their passphrase. The storage of a deleted file may
    /// remain readable on the device.
    ///
    /// - Parameters:
    ///   - path: The path of the database. No process may have it open.
    ///   - old: The passphrase of the database, or `nil` if it is plain.
    ///   - new: The new passphrase, or `nil` for a plain database.
    /// - Throws: `unavailable`, with a `PassphraseError` as its cause for an old passphrase that does not open the
    ///   database; `alreadyOpen`. The database is unchanged then.
    /// - Complexity: O(*n*) time, and twice the space of the database.
    public static func changePassphrase(
        ofDatabase path: String, from old: Passphrase?, to new: Passphrase?
    ) async throws(PersistencyError) {
        try SQLiteLibrary.checkSupport(of: old ?? new, .file(path))
        try await StoreThread(label: "store.sqlite.passphrase").run { () throws(PersistencyError) in
            var configuration = Configuration(
                .file(path), busyTimeout: .zero, purpose: "changing the passphrase", passphrase: old)
            let plan = try SQLPlan(SchemaSet([]))
            let opening = SQLiteOpening(configuration: configuration, plan: plan)
            let files = try SQLiteFiles(path)
            guard files.exists else { throw .failed("no database exists at \(files.path)") }
            try opening.refuseForeign(files)
            let lock = try opening.lock(files)
            try withExtendedLifetime(lock) { () throws(PersistencyError) in
                try files.checkNames()
                _ = try opening.checkedReader(files)
                try opening.emptyLog(files)
                configuration.passphrase = new
                let target = SQLiteOpening(configuration: configuration, plan: plan)
                try files.create(replacing: true) { draft throws(PersistencyError) in
                    try opening.connect(files.path, SQLITE_OPEN_READWRITE).export(to: draft, new)
                    // Reads the result with the new passphrase.
                    let connection = try target.connect(draft, SQLITE_OPEN_READWRITE)
                    try target.checkMark(connection, files)
                    try target.switchToLog(connection)
                }
            }
        }
    }
}

extension SQLiteConnection {
    /// Copies the content of the database to an empty file under another passphrase, and syncs it.
    fileprivate func export(to path: String, _ passphrase: Passphrase?) throws(PersistencyError) {
        try statement("ATTACH ?1 AS target KEY ?2").run([.text(path), .blob(passphrase?.bytes ?? [])])
        try execute("PRAGMA target.journal_mode = MEMORY")
        try execute("PRAGMA target.synchronous = FULL")
        try execute("SELECT sqlcipher_export('target')")
        for name in ["application_id", "user_version"] {
            try execute("PRAGMA target.\(name) = \(integer("PRAGMA main.\(name)"))")
        }
        try execute("DETACH target")
    }
}
