import LarderData
import LarderDomain
import Testing

@Suite("A value is read from a lent cell, and compared with one, as it is with a copy of it")
struct CellTests {
    /// A value of a column's type, and the equality of cells.
    private func isSame<V: ColumnValue>(_ mine: V, as stored: V) throws -> Bool {
        let value = try stored.columnValue()
        return withCell(value) { cell in
            #expect(V(cell: cell) == stored && cell.value(of: V.columnType) == value)
            return mine.isSame(as: cell)
        }
    }

    private func withCell<Result>(_ value: Value, _ body: (Cell) -> Result) -> Result {
        switch value {
        case .null: return body(.null)
        case .integer(let integer): return body(.integer(integer))
        case .real(let real): return body(.real(real))
        case .text(let text): return unsafe Array(text.utf8).withUnsafeBytes { unsafe body(.text($0)) }
        case .blob(let bytes): return unsafe bytes.withUnsafeBytes { unsafe body(.blob($0)) }
        case .id(let id):
            let bytes = [id.high, id.low].map(\.bigEndian)
            return unsafe bytes.withUnsafeBytes { unsafe body(.blob($0)) }
        }
    }

    private enum Size: String, ColumnValue { case small, large }

    private func check<V: ColumnValue>(_ one: V, _ other: V) throws {
        #expect(try isSame(one, as: one) && isSame(other, as: other))
        #expect(try !isSame(one, as: other) && !isSame(other, as: one))
        #expect(try isSame(V?.some(one), as: one) && isSame(V?.none, as: nil))
        #expect(try !isSame(V?.some(one), as: nil) && !isSame(V?.none, as: one))
    }

    @Test func `each type of column reads and compares cells`() throws {
        try check(1 as Int64, .min)
        try check(7, -7)
        try check(true, false)
        try check(1.5, -2)
        try check("", "long enough to have an address of its own: ÄÖÜ")
        try check("long enough, differs at the end 1", "long enough, differs at the end 2")
        try check([UInt8](), [1, 2, 3])
        try check(RawID(high: 1, low: 2), RawID(high: 2, low: 1))
        try check(Person(1, "Ann").id, Person(2, "Ann").id)
        try check(Timestamp(microseconds: 1), Timestamp(microseconds: -1))
        try check(try #require(CalendarDay("2026-11-20")), try #require(CalendarDay("2026-11-21")))
        try check(Size.small, .large)
    }

    @Test func `a value that is stored in another form than its own is not the same`() throws {
        #expect(try !isSame("u\u{308}", as: "ü"))
        #expect(try !isSame(-0.0, as: 0))
    }

    @Test func `cells of another type are no value`() {
        withCell(.text("1")) { #expect(Int(cell: $0) == nil && RawID(cell: $0) == nil && Double(cell: $0) == nil) }
        withCell(.integer(7)) { #expect(Bool(cell: $0) == nil && String(cell: $0) == nil) }
        withCell(.null) { #expect(Int(cell: $0) == nil && String(cell: $0) == nil) }
        let broken: [UInt8] = [0x61, 0xFF]
        unsafe broken.withUnsafeBytes { bytes in
            #expect(unsafe String(cell: .text(bytes)) == nil)
            #expect(unsafe Cell.text(bytes).value(of: .text) == .blob(broken))
            #expect(unsafe Cell.blob(bytes).value(of: .id) == .blob(broken))
        }
    }
}
