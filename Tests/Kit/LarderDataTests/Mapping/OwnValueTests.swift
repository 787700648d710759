import LarderData
import LarderDomain
import Testing

/// A value of a domain: three capital letters.
private struct CurrencyCode: Hashable, Codable {
    let letters: String

    init?(_ letters: String) {
        guard letters.utf8.count == 3, letters.utf8.allSatisfy({ (65...90).contains($0) }) else { return nil }
        self.letters = letters
    }
}

extension CurrencyCode: ColumnValue {
    static var columnType: ColumnType { .text }
    func columnValue() throws(ValueRefusal) -> Value { .text(letters) }
    init?(columnValue: Value) {
        guard let text = String(columnValue: columnValue) else { return nil }
        self.init(text)
    }
}

@Suite("Types of a domain")
struct OwnValueTests {
    @Test func `a type of a domain is stored by its conversions`() throws {
        let code = try #require(CurrencyCode("EUR"))
        #expect(try code.columnValue() == .text("EUR") && CurrencyCode(columnValue: .text("EUR")) == code)
        #expect(CurrencyCode(columnValue: .text("eur")) == nil && CurrencyCode(columnValue: .integer(1)) == nil)
        #expect(CurrencyCode?.isNullable && CurrencyCode?.columnType == .text)
        #expect(try (nil as CurrencyCode?).columnValue() == .null)
    }

    @Test func `an integer that a column cannot represent is refused, and not read`() throws {
        #expect(throws: ValueRefusal("must be at most 9223372036854775807")) { try UInt64.max.columnValue() }
        #expect(try Int32.min.columnValue() == .integer(-2_147_483_648))
        #expect(Int32(columnValue: .integer(2_147_483_648)) == nil && UInt32(columnValue: .integer(-1)) == nil)
        #expect(UInt32(cell: .integer(1 << 32)) == nil && UInt32(cell: .integer(7)) == 7)
        #expect(UInt32(7).isSame(as: .integer(7)) && !UInt32(7).isSame(as: .null))
    }

    @Test func `a number that a float would round is not read`() {
        #expect(Float(columnValue: .real(0.1)) == nil && Float(columnValue: .real(0.5)) == 0.5)
        #expect(Float(columnValue: .real(1e39)) == nil && Float(cell: .real(-.greatestFiniteMagnitude)) == nil)
    }
}
