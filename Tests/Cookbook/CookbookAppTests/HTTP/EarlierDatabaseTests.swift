import CLarderSQLite
import CookbookDomain
import Foundation
import HTTPTypes
import LarderApp
import LarderData
import LarderTesting
import Testing

@testable import CookbookApp

/// A database from a version of `larder` without an HTTP service; see `Databases/README.txt`.
struct EarlierDatabaseTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Databases/before-the-service.sqlite")
    /// The tables of entities with a list route.
    private static let tables = [
        "recipes": "recipe", "tags": "tag", "cookbooks": "cookbook", "brands": "brand", "users": "user",
        "sessions": "cooking_session",
    ]

    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/store.sqlite"
        try FileManager.default.copyItem(at: Self.file, to: URL(filePath: path))
    }

    /// The number of rows of a table, read with SQLite directly.
    private func rows(_ table: String) throws -> Int {
        var (connection, statement): (OpaquePointer?, OpaquePointer?)
        defer {
            unsafe sqlite3_finalize(statement)
            unsafe sqlite3_close(connection)
        }
        try #require(unsafe sqlite3_open(path, &connection) == SQLITE_OK)
        try #require(
            unsafe sqlite3_prepare_v2(connection, "SELECT count(*) FROM \"\(table)\"", -1, &statement, nil) == SQLITE_OK
        )
        try #require(unsafe sqlite3_step(statement) == SQLITE_ROW)
        return Int(unsafe sqlite3_column_int64(statement, 0))
    }

    private func items(_ json: JSON?) -> [JSON] {
        if case .array(let items)? = json { items } else { [] }
    }

    @Test func `a database opens, and all its data is served`() async throws {
        let names = Self.tables.values + ["photo", "ingredient", "step"]
        var rows: [String: Int] = [:]
        for table in names { rows[table] = try self.rows(table) }
        #expect(rows.values.allSatisfy { $0 > 0 }, "\(rows)")
        var settings = StoreSettings(location: .sqlite(path: path))
        settings.migration.mode = .all
        let http = try await CookbookHarness(settings)
        let token = try await http.user("newcomer@example.org", .admin)
        var (photos, ingredients, steps) = (0, 0, 0)
        for (name, table) in Self.tables {
            let list = try await http.send(.get, "/v1/\(name)?limit=200&total=true", token: token)
            #expect(list.status == .ok)
            let items = items(list.json["items"])
            #expect(items.count == rows[table, default: 0] + (table == "user" ? 1 : 0), "\(name)")
            #expect(list.json["total"] == .integer(Int64(items.count)))
            for item in items {
                guard case .string(let id)? = item["id"] else { throw Nameless(item: item) }
                let one = try await http.send(.get, "/v1/\(name)/\(id)", token: token)
                #expect(one.status == .ok)
                #expect(one.json == item, "\(name)")
                guard name == "recipes" else { continue }
                ingredients += self.items(one.json["ingredients"]).count
                steps += self.items(one.json["steps"]).count
                let photo = try await http.send(.get, "/v1/recipes/\(id)/photo", token: token)
                guard photo.status != .notFound else { continue }
                #expect(photo.status == .ok)
                #expect(photo.headers[.contentType] == "image/gif")
                #expect(photo.text.hasPrefix("GIF89a"))
                photos += 1
            }
        }
        #expect([photos, ingredients, steps] == [rows["photo"], rows["ingredient"], rows["step"]])
        #expect(try await http.send(.get, "/v1/export").lines.count == rows["recipe"])
        await http.store.close()
    }

    private struct Nameless: Error { let item: JSON }
}
