import Foundation
import LarderApp
import LarderData
import LarderDomain

/// A writer of a former database.
struct Writer: Entity {
    let id: EntityID<Writer>
    let number: Int?
    let name: String
    let born: CalendarDay?

    init(id: EntityID<Writer>, number: Int?, name: String, born: CalendarDay?) throws(InvalidField) {
        (self.id, self.number, self.born) = (id, number, born)
        self.name = try FieldCheck(Writer.self, .stored).text(name, "name", atMost: 20)
    }
}

enum WriterMapper: EntityMapper {
    static let mapping = Mapping<Writer>(
        "writer", id: \.id, [.column("number", \.number).unique, .column("name", \.name), .column("born", \.born)])

    static func entity(from row: inout ObjectReader) throws -> Writer {
        try Writer(id: row.id(), number: row.next(), name: row.next(), born: row.next())
    }
}

/// A volume of a former database, which may follow another one.
struct Volume: Entity {
    let id: EntityID<Volume>
    let code: String
    let writer: EntityID<Writer>
    let previous: EntityID<Volume>?
}

enum VolumeMapper: EntityMapper {
    static let mapping = Mapping<Volume>(
        "volume", id: \.id,
        [
            .column("code", \.code).unique, .reference("writer_id", \.writer, onDelete: .refuse),
            .reference("previous_id", \.previous, onDelete: .remove),
        ])

    static func entity(from row: inout ObjectReader) throws -> Volume {
        try Volume(id: row.id(), code: row.next(), writer: row.next(), previous: row.next())
    }
}

/// The database of the shell of SQLite, which is removed at the end.
final class LegacyDatabase: Sendable {
    static let tables = [
        AdoptedTable(
            WriterMapper.self, from: "writers", key: ["id"], columns: ["number": "id", "name": "name", "born": "born"]),
        AdoptedTable(
            VolumeMapper.self, from: "volumes", key: ["code"],
            columns: [
                "code": "code", "writer_id": .reference("writers", ["writer"]),
                "previous_id": .reference("volumes", ["previous"]),
            ], later: ["previous_id"]),
    ]

    let path = FileManager.default.temporaryDirectory.appending(path: "legacy-\(UUID().uuidString).db").path

    init() throws {
        try run(
            """
            CREATE TABLE writers (id INTEGER PRIMARY KEY, name TEXT, born DATE);
            CREATE TABLE volumes (code TEXT PRIMARY KEY, writer INTEGER, previous TEXT);
            INSERT INTO writers VALUES (1, 'Ada', '1815-12-10'), (4611686018427387904, 'Ömer', NULL);
            INSERT INTO volumes VALUES ('a', 1, 'b'), ('b', 4611686018427387904, NULL);
            """)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func run(_ sql: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["sqlite3", "-batch", "-bail", path, sql]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileReadUnknown) }
    }
}
