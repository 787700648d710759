import CSQLite
import LarderData
import LarderDomain
import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The databases that are migrated: made once, and copied for each measurement.
struct MigrationDatabases {
    let folder: URL
    let count: Int

    private var copy: String { folder.appending(path: "copy.sqlite").path }

    func path(hasList: Bool) -> String {
        folder.appending(path: "\(hasList ? "baskets" : "persons")-\(count).sqlite").path
    }

    func fill(hasList: Bool) async throws {
        if FileManager.default.fileExists(atPath: path(hasList: hasList)) { return }
        let schemas = try SchemaSet(hasList ? MigrationSchemas.baskets : MigrationSchemas.persons)
        let store = try await SQLiteStore.open(.init(.file(path(hasList: hasList)), durability: .off), schemas: schemas)
        if hasList {
            try await insert(count, into: store, MigrationSchemas.basket)
        } else {
            let cities = max(1, count / 1_000)
            try await insert(cities, into: store, MigrationSchemas.city)
            try await insert(count / 10, into: store, MigrationSchemas.entry)
            try await insert(count, into: store) { MigrationSchemas.person($0, cities: cities) }
        }
        await store.close()
    }

    private func insert(_ count: Int, into store: SQLiteStore, _ object: (Int) -> StorageObject) async throws {
        for start in stride(from: 0, to: count, by: 5_000) {
            let objects = (start..<min(start + 5_000, count)).map(object)
            _ = try await store.commit(ChangeSet(inserts: objects))
        }
    }

    /// Lends a copy that is already on the device, so that a measurement does not wait for it.
    func withCopy<Result>(hasList: Bool, _ body: (_ path: String) throws -> Result) throws -> Result {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for name in names where name.hasPrefix("copy.sqlite") {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
        try FileManager.default.copyItem(atPath: path(hasList: hasList), toPath: copy)
        let file = open(copy, O_RDONLY)
        fsync(file)
        close(file)
        return try body(copy)
    }

    /// A summary of the tables, columns, indexes, and values of a database, which is equal after equal migrations.
    static func summary(_ path: String) throws -> [String] {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READONLY, nil)
        defer { sqlite3_close_v2(opened) }
        guard let opened, code == SQLITE_OK else { throw FloorError(code: code, message: path) }
        func texts(_ sql: String) throws -> [String] {
            var texts: [String] = []
            try FloorStatement(sql, opened).rows { texts.append(FloorDatabase.text(0, $0) ?? "") }
            return texts
        }
        var lines = try texts(
            "SELECT type || ' ' || name FROM sqlite_schema WHERE name NOT LIKE 'larder%' AND sql IS NOT NULL ORDER BY 1"
        )
        for table in lines.filter({ $0.hasPrefix("table ") }).map({ $0.dropFirst(6) }) {
            for column in try texts("SELECT name FROM pragma_table_info('\(table)') ORDER BY 1") {
                let sums = "count(\(column)) || ' ' || total(length(\(column))) || ' ' || total(\(column))"
                lines += try texts("SELECT '\(table).\(column) ' || \(sums) FROM \(table)")
            }
        }
        return lines
    }
}
