#if Postgres
import LarderData
import LarderDomain
import LarderInfrastructure

/// Schemas of the tests.
enum Sample {
    static let note = EntitySchema(
        name: "note", columns: [Column(name: "text", type: .text), Column(name: "rank", type: .integer)],
        uniques: [[0]], indexes: [[1]])

    static let tag = EntitySchema(name: "tag", columns: [Column(name: "text", type: .text)])

    static func note(
        _ text: String, rank: Int64 = 0, id: RawID = RawID(high: .random(in: 1 ... .max), low: 0)
    ) -> StorageObject {
        StorageObject(schema: note, id: id, values: [.text(text), .integer(rank)])
    }
}

/// Values for arrays.
struct SQLSample {
    let values: [Value]
    let kind: SQLKind
    let column: ColumnType

    var type: String {
        switch kind {
        case .integer: "bigint"
        case .real: "float8"
        case .text: "text"
        case .blob: "bytea"
        case .id: "uuid"
        }
    }

    static let integers = SQLSample(values: [.integer(1), .null, .integer(-1)], kind: .integer, column: .integer)
    static let texts = SQLSample(values: [.text(""), .text("{\"a\",NULL}"), .null], kind: .text, column: .text)
    static let blobs = SQLSample(values: [.blob([]), .blob([1, 0])], kind: .blob, column: .blob)
    static let ids = SQLSample(values: [.id(RawID(high: 3, low: 4))], kind: .id, column: .id)
}
#endif
