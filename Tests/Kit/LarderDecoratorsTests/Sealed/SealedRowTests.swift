import Foundation
import LarderData
import LarderDecorators
import LarderDomain
import LarderInfrastructure
import Testing

@Suite("Rows of a sealed store")
struct SealedRowTests {
    private static let columns = [
        Column(name: "content", type: .text, isNullable: true, sealing: .content),
        Column(name: "count", type: .integer, sealing: .content), Column(name: "size", type: .integer),
    ]
    private static let photo = Column(name: "photo", type: .blob, sealing: .content)

    /// A blob may be large, so that reading one may take long. A sealed text is as short as the text.
    @Test(arguments: [(columns, LendAnswer.lent), (columns + [photo], .declined)])
    func `a row with sealed texts is lent at once, and one with a blob is not`(
        columns: [Column], expected: LendAnswer
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "larder-rows-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let schema = EntitySchema(name: "note", columns: columns)
        let store = try await SealedStore.open(try SchemaSet([schema]), keys: .fake()) {
            try await SQLiteStore.open(.init(.file(folder.appending(path: "notes").path)), schemas: $0)
        }
        let values: [Value] = [.text("Grüße"), .integer(-7), .integer(9), .blob([1, 2])]
        let objects = [values[0], .null, .text("")].enumerated().map { number, content in
            StorageObject(
                schema: schema, id: RawID(high: 1, low: UInt64(number)),
                values: Array(([content] + values.dropFirst()).prefix(columns.count)))
        }
        _ = try await store.commit(ChangeSet(inserts: objects))
        for object in objects {
            var read: StorageObject?
            let answer = try store.lendAtOnce(object.id, of: schema) { (rows) throws(PersistencyError) in
                if try rows.next() { read = try rows.storageObject() }
            }
            #expect(answer == expected)
            #expect(try await store.read(object.id, of: schema)?.values == object.values)
            if answer == .lent { #expect(read?.values == object.values) }
        }
        await store.close()
    }
}
