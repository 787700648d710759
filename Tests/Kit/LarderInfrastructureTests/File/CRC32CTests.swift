import Testing

@testable import LarderInfrastructure

struct CRC32CTests {
    private func check(_ bytes: [UInt8]) -> UInt32 { CRC32C(bytes, bytes.indices).value }

    @Test func `the published values come out`() {
        // The check value of the catalogue of parametrised CRC algorithms, and the values of RFC 3720, B.4.
        #expect(check(Array("123456789".utf8)) == 0xE306_9283)
        #expect(check([]) == 0)
        #expect(check([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
        #expect(check([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
        #expect(check(Array(0..<32)) == 0x46DD_794E)
        #expect(check((0..<32).reversed()) == 0x113F_DB5C)
    }

    @Test func `parts make the same as the whole`() {
        let bytes = [UInt8]((0..<200).map { UInt8($0 & 0xFF) })
        for cut in [0, 1, 7, 100, 200] {
            #expect(CRC32C(bytes, 0..<cut, cut..<200).value == check(bytes))
        }
    }
}
