import CSQLite
import LarderDomain

/// Binding and reading of values: ids are blobs of 16 bytes, big-endian.
extension FloorDatabase {
    static func bind(_ id: RawID, _ index: Int32, _ statement: OpaquePointer?) {
        var bytes = (id.high.bigEndian, id.low.bigEndian)
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        withUnsafeBytes(of: &bytes) {
            _ = sqlite3_bind_blob(statement, index, $0.baseAddress, 16, transient)
        }
    }

    static func bind(_ text: String?, _ index: Int32, _ statement: OpaquePointer?) {
        guard var text else { return _ = sqlite3_bind_null(statement, index) }
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                _ = sqlite3_bind_text(statement, index, $0.baseAddress, Int32($0.count), transient)
            }
        }
    }

    static func bind(_ integer: Int?, _ index: Int32, _ statement: OpaquePointer?) {
        guard let integer else { return _ = sqlite3_bind_null(statement, index) }
        sqlite3_bind_int64(statement, index, Int64(integer))
    }

    static func dish(in statement: OpaquePointer) -> Stored<Dish> {
        let dish = Dish(
            id: EntityID(id(0, statement)), name: text(2, statement) ?? "",
            summary: text(3, statement),
            author: text(4, statement), difficulty: Int(sqlite3_column_int64(statement, 5)),
            rating: Int(sqlite3_column_int64(statement, 6)), preparationMinutes: integer(7, statement),
            cookingMinutes: integer(8, statement),
            isCompleted: sqlite3_column_int64(statement, 9) != 0,
            createdAt: Timestamp(microseconds: sqlite3_column_int64(statement, 10)))
        return Stored(dish, version: sqlite3_column_int64(statement, 1))
    }

    static func id(_ column: Int32, _ statement: OpaquePointer) -> RawID {
        guard let bytes = sqlite3_column_blob(statement, column) else { return RawID(high: 0, low: 0) }
        return RawID(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    static func text(_ column: Int32, _ statement: OpaquePointer) -> String? {
        guard let bytes = sqlite3_column_text(statement, column) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    static func integer(_ column: Int32, _ statement: OpaquePointer) -> Int? {
        sqlite3_column_type(statement, column) == SQLITE_NULL
            ? nil : Int(sqlite3_column_int64(statement, column))
    }
}
