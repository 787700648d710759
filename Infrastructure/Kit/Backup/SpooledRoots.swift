internal import CLarderSQLite
internal import LarderData
internal import LarderDomain

/// Encoded roots in the order of schemas and ids, in a temporary file without a name, which ends with the process.
///
/// SQLite chooses the folder: `SQLITE_TMPDIR`, `TMPDIR`, or `/var/tmp`.
struct SpooledRoots: Sendable {
    private let connection: SQLiteConnection
    private let codec: LogCodec
    private let layouts: [LogLayout]
    /// The targets of removable references, for each root schema.
    private let targets: [Set<String>]

    init(_ codec: LogCodec) throws(PersistencyError) {
        // The empty name opens a temporary database.
        connection = try SQLiteConnection("", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        (self.codec, layouts) = (codec, codec.schemas.roots.map { LogLayout($0) })
        targets = codec.schemas.roots.map { Set($0.references.filter(\.isRemovable).map(\.target)) }
        // Nothing is rolled back.
        _ = try connection.integer("PRAGMA journal_mode = OFF")
        // Changed roots have no content until they are read again.
        try connection.execute(
            "CREATE TABLE roots (place INTEGER, id BLOB, content BLOB, PRIMARY KEY (place, id)) WITHOUT ROWID")
        try connection.execute("CREATE INDEX changed ON roots (place, id) WHERE content IS NULL")
        // The targets that the roots have had in any of their states.
        try connection.execute(
            "CREATE TABLE targets (target BLOB, place INTEGER, id BLOB, PRIMARY KEY (target, place, id)) WITHOUT ROWID")
        try connection.begin()
    }

    func write(_ roots: [StorageObject], of place: Int) throws(PersistencyError) {
        for root in roots {
            var writer = ValueWriter()
            codec.append(root, to: &writer)
            let key = [Value.integer(Int64(place)), .id(root.id)]
            try run("INSERT INTO roots VALUES (?1, ?2, ?3)", key + [.blob(writer.bytes)])
            for target in root.outgoingReferences.map(\.target) where targets[place].contains(target.entity) {
                try run("INSERT OR IGNORE INTO targets VALUES (?1, ?2, ?3)", [.id(target.id)] + key)
            }
        }
    }

    func markChanged(_ id: RawID, of place: Int) throws(PersistencyError) {
        try run("REPLACE INTO roots VALUES (?1, ?2, NULL)", [.integer(Int64(place)), .id(id)])
    }

    /// Marks all roots that may have had a reference to a target.
    func markReferrers(of target: RawID) throws(PersistencyError) {
        try run("REPLACE INTO roots SELECT place, id, NULL FROM targets WHERE target = ?1", [.id(target)])
    }

    func remove(_ ids: [RawID], of place: Int) throws(PersistencyError) {
        for id in ids { try run("DELETE FROM roots WHERE place = ?1 AND id = ?2", [.integer(Int64(place)), .id(id)]) }
    }

    func changedRoots() throws(PersistencyError) -> Int {
        Int(try connection.integer("SELECT count(*) FROM roots WHERE content IS NULL"))
    }

    /// The first changed roots of one entity; `nil` if there are none.
    func nextChangedRoots(limit: (Int) -> Int) throws(PersistencyError) -> (place: Int, ids: [RawID])? {
        let text = "SELECT place, id FROM roots WHERE content IS NULL ORDER BY place, id LIMIT 256"
        let rows = try connection.rows(text) { (place: Int($0.integer(0)), id: $0.id(1)) }
        guard let place = rows.first?.place else { return nil }
        return (place, rows.prefix(limit(place)).prefix { $0.place == place }.compactMap(\.id))
    }

    /// Lends all roots.
    func forEach(_ body: (StorageObject) throws(PersistencyError) -> Void) throws(PersistencyError) {
        let rows = try connection.statement("SELECT place, content FROM roots ORDER BY place, id")
        defer { rows.finish() }
        while try rows.step() {
            guard case .blob(let bytes) = rows.value(1, .blob),
                let root = try? root(ValueReader(bytes), layouts[Int(rows.integer(0))])
            else { throw .failed("the temporary file of the backup is damaged") }
            try body(root)
        }
    }

    private func root(_ content: ValueReader, _ layout: LogLayout) throws(MalformedBytes) -> StorageObject {
        var content = content
        _ = try content.count()
        let version = Int64(bitPattern: try content.number())
        return try layout.object(&content, version: version)
    }

    private func run(_ text: String, _ values: [Value]) throws(PersistencyError) {
        do throws(PersistencyError) {
            try connection.statement(text).run(values)
        } catch {
            guard case .unavailable(let trouble) = error else { throw error }
            let message = "the temporary file of the backup (TMPDIR): \(trouble.message)"
            throw .unavailable(Unavailable(trouble.reason, message, cause: trouble.cause))
        }
    }
}
