internal import LarderData
internal import LarderDomain

extension SQLiteConnection {
    /// Copies the content of the database to an empty file under another passphrase, and syncs it.
    func export(to path: String, _ passphrase: Passphrase?) throws(PersistencyError) {
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
