internal import LarderData
internal import LarderDomain

/// Ties a database file and its log to each other: the only row of the table `larder_file`.
///
/// The first commit of each log replaces the random generation, and records the previous one. So a log belongs to the
/// file that has the generation of a mark in the log, or the one before it. The page of the table never changes its
/// number, so that a mark is read from the file alone and from the log alone, also in the middle of a checkpoint, when
/// neither is a complete database.
struct SQLiteFileMark: Equatable, Sendable {
    static let table = "larder_file"
    /// "LrdrMark".
    private static let magic: UInt64 = 0x4C72_6472_4D61_726B
    private static let size = 24

    private let generation: UInt64
    /// 0 in the first mark of a file.
    private let previous: UInt64

    /// The mark of a new file, or of one that has none yet.
    static func first() -> Self { Self(generation: .random(in: 1 ... .max), previous: 0) }

    /// The mark of the next log.
    var next: Self { Self(generation: .random(in: 1 ... .max), previous: generation) }

    /// Whether a log with this mark was written for the file with another mark.
    ///
    /// - Parameter other: `nil` if the page of the mark is not in the file yet.
    func follows(_ other: Self?) -> Bool {
        guard let other else { return previous == 0 }
        return [generation, previous].contains(other.generation)
    }
}

extension SQLiteFileMark {
    private var bytes: [UInt8] {
        var writer = ValueWriter()
        for number in [Self.magic, generation, previous] { writer.append(fixed: number) }
        return writer.bytes
    }

    private init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, bytes.number(at: 0) == Self.magic else { return nil }
        self.init(generation: bytes.number(at: 8), previous: bytes.number(at: 16))
    }

    /// The bytes from which ``mayBeMark(_:)`` decides.
    static let prefix = 10

    /// Whether a page is the leaf of a table with one row.
    static func mayBeMark(_ page: [UInt8]) -> Bool {
        page.count >= prefix && page[0] == 0x0D && page.number(at: 3, bytes: 2) == 1
    }

    /// The mark in a page of a plain database; `nil` for any other page.
    init?(page: [UInt8]) {
        guard Self.mayBeMark(page) else { return nil }
        // The row: sizes of the row and of its header, the row's number, and the type of a BLOB of 24 bytes.
        let (place, row) = (Int(page.number(at: 8, bytes: 2)), [UInt8]([26, 1, 2, 60]))
        let start = place + row.count
        guard start + Self.size <= page.count, page[place..<start].elementsEqual(row) else { return nil }
        self.init(Array(page[start..<start + Self.size]))
    }
}

extension SQLiteFileMark {
    /// The mark of a database; `nil` if it has none.
    static func read(_ connection: SQLiteConnection) throws(PersistencyError) -> Self? {
        guard try connection.has(table),
            case .blob(let bytes) = try connection.rows("SELECT mark FROM \(table)", [], [.blob]).first?[0]
        else { return nil }
        return Self(bytes)
    }

    /// Creates the table with the first mark, in a transaction.
    static func create(_ connection: SQLiteConnection) throws(PersistencyError) -> Self {
        let mark = first()
        try connection.transaction(writes: true) { () throws(PersistencyError) in
            try connection.execute("DROP TABLE IF EXISTS \(table)")
            try connection.execute(
                "CREATE TABLE \(table) (mark BLOB NOT NULL)" + SQLiteLibrary.options(["STRICT"]))
            try mark.run("INSERT INTO \(table) (rowid, mark) VALUES (1, ?1)", connection)
        }
        return mark
    }

    /// Replaces the mark of a database.
    func write(_ connection: SQLiteConnection) throws(PersistencyError) {
        try run("UPDATE \(Self.table) SET mark = ?1", connection)
    }

    private func run(_ text: String, _ connection: SQLiteConnection) throws(PersistencyError) {
        // Not counted as a statement of the store: it runs once for each log.
        try unsafe SQLiteStatement(text, on: connection.handle).run([.blob(bytes)])
    }
}
