import Testing

@testable import LarderDomain

struct HexadecimalTests {
    @Test func `bytes and integers have all their digits`() {
        #expect([0, 0x0f, 0xa0, 0xff].hexadecimal == "000fa0ff" && [UInt8]().hexadecimal.isEmpty)
        #expect(UInt16(0xab).hexadecimal == "00ab" && UInt128.max.hexadecimal == String(repeating: "f", count: 32))
    }

    @Test func `a digit has a value in any case, and any other byte none`() {
        let values = (UInt8.min...UInt8.max).filter { $0.hexadecimalValue != nil }
        #expect(String(decoding: values, as: UTF8.self) == "0123456789ABCDEFabcdef")
        #expect("09afAF".utf8.map(\.hexadecimalValue) == [0, 9, 10, 15, 10, 15])
    }

    @Test(
        arguments: [
            ("a%20b", "a b"), ("%C3%a9", "é"), ("a+b", "a+b"), ("%", nil), ("%4", nil), ("%zz", nil), ("%ff", nil),
            ("%00", "\0"),
        ] as [(String, String?)])
    func `percent-encoded bytes are UTF-8, or malformed`(encoded: String, text: String?) {
        #expect(encoded.utf8.percentDecoded() == text)
    }

    @Test func `an encoded value is decoded unchanged`() {
        let text = "a b&c=é/日+"
        let encoded = text.utf8.percentEncoded { $0 == UInt8(ascii: "a") }
        #expect(encoded.hasPrefix("a%20%62") && encoded.utf8.percentDecoded(plusIsBlank: true) == text)
        #expect("1+2".utf8.percentDecoded(plusIsBlank: true) == "1 2")
    }
}
