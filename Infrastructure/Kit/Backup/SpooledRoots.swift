internal import CLarderSQLite
internal import LarderData
internal import LarderDomain

/// Encoded roots in the order of schemas and ids, in a temporary file without a name, which ends with the process. Each
/// has the number of the last commit before it was read.
///
/// SQLite chooses the folder: `SQLITE_TMPDIR`, `TMPDIR`, or `/var/tmp`.
struct SpooledRoots: Sendable {
    private let connection: SQLiteConnection
    private let codec: LogCodec
    private let layouts: [LogLayout]

    init(_ codec: LogCodec) throws(PersistencyError) {
        // The empty name opens a temporary database.
        connection = try SQLiteConnection("", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        (self.codec, layouts) = (codec, codec.schemas.roots.map { LogLayout($0) })
        // Nothing is rolled back.
        _ = try connection.integer("PRAGMA journal_mode = OFF")
        // Changed roots have no content until they are read again.
        try connection.execute(
            "CREATE TABLE roots (place INTEGER, id BLOB, position INTEGER, content BLOB, PRIMARY KEY (place, id)) "
                + "WITHOUT ROWID")
        try connection.execute("CREATE INDEX changed ON roots (place, id) WHERE content IS NULL")
        try connection.begin()
    }

    func write(_ roots: [StorageObject], of place: Int, at position: Int64) throws(PersistencyError) {
        for root in roots {
            var writer = ValueWriter()
            codec.append(root, to: &writer)
            try run(
                "INSERT INTO roots VALUES (?1, ?2, ?3, ?4)",
                [.integer(Int64(place)), .id(root.id), .integer(position), .blob(writer.bytes)])
        }
    }

    func markChanged(_ id: RawID, of place: Int) throws(PersistencyError) {
        try run("REPLACE INTO roots VALUES (?1, ?2, 0, NULL)", [.integer(Int64(place)), .id(id)])
    }

    func remove(_ ids: [RawID], of place: Int) throws(PersistencyError) {
        for id in ids { try run("DELETE FROM roots WHERE place = ?1 AND id = ?2", [.integer(Int64(place)), .id(id)]) }
    }

    func changedRoots() throws(PersistencyError) -> Int {
        Int(try connection.integer("SELECT count(*) FROM roots WHERE content IS NULL"))
    }

    /// The first changed roots of one entity; `nil` if there are none.
    func nextChangedRoots(limit: (Int) -> Int) throws(PersistencyError) -> (place: Int, ids: [RawID])? {
        let rows = try connection.statement("SELECT place, id FROM roots WHERE content IS NULL ORDER BY place, id")
        defer { rows.finish() }
        var found: (place: Int, ids: [RawID])?
        while try rows.step(), let id = rows.id(1) {
            let place = Int(rows.integer(0))
            if let found, found.place != place || found.ids.count == limit(place) { break }
            found = (place, (found?.ids ?? []) + [id])
        }
        return found
    }

    /// Lends all roots with their positions.
    func forEach(
        _ body: (StorageObject, Int64) throws(PersistencyError) -> Void
    ) throws(PersistencyError) {
        let rows = try connection.statement("SELECT place, position, content FROM roots ORDER BY place, id")
        defer { rows.finish() }
        while try rows.step() {
            guard case .blob(let bytes) = rows.value(2, .blob),
                let root = try? root(ValueReader(bytes), layouts[Int(rows.integer(0))])
            else { throw .failed("the temporary file of the backup is damaged") }
            try body(root, rows.integer(1))
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
