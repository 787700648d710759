#if Postgres
import CPostgres
import LarderDomain

/// A row of a result, read in place.
struct PostgresRow {
    let result: OpaquePointer
    let row: Int32

    func id(_ column: Int32) -> RawID {
        guard let bytes = UnsafeRawPointer(PQgetvalue(result, row, column)) else { return RawID(high: 0, low: 0) }
        return RawID(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    func text(_ column: Int32) -> String? {
        if PQgetisnull(result, row, column) == 1 { return nil }
        let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    func integer(_ column: Int32) -> Int? {
        PQgetisnull(result, row, column) == 1 ? nil : Int(Int64(bitPattern: word(column)))
    }

    func real(_ column: Int32) -> Double? {
        PQgetisnull(result, row, column) == 1 ? nil : Double(bitPattern: word(column))
    }

    private func word(_ column: Int32) -> UInt64 {
        guard let bytes = UnsafeRawPointer(PQgetvalue(result, row, column)) else { return 0 }
        return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    }

    var dish: Stored<Dish> {
        Stored(
            Dish(
                id: EntityID(id(0)), name: text(2) ?? "", summary: text(3), author: text(4),
                difficulty: integer(5) ?? 0, rating: integer(6) ?? 0, preparationMinutes: integer(7),
                cookingMinutes: integer(8), isCompleted: integer(9) != 0,
                createdAt: Timestamp(microseconds: Int64(integer(10) ?? 0))), version: Int64(integer(1) ?? 0))
    }
}

extension Dish {
    /// Appends the row in the binary format of `COPY`.
    func append(to bytes: inout [UInt8]) {
        func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        }
        func field(_ integer: Int?) {
            guard let integer else { return append(Int32(-1)) }
            append(Int32(8))
            append(Int64(integer))
        }
        func field(_ text: String?) {
            guard let text else { return append(Int32(-1)) }
            append(Int32(text.utf8.count))
            bytes.append(contentsOf: text.utf8)
        }
        append(Int16(11))
        append(Int32(16))
        append(id.rawValue.high)
        append(id.rawValue.low)
        field(1)
        field(name)
        field(summary)
        field(author)
        field(difficulty)
        field(rating)
        field(preparationMinutes)
        field(cookingMinutes)
        field(isCompleted ? 1 : 0)
        field(Int(createdAt.microseconds))
    }
}
#endif
