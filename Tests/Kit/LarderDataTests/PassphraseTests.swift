import LarderData
import Testing

struct PassphraseTests {
    @Test func `no description and no mirror of a passphrase contains it`() throws {
        let passphrase = try Passphrase("correct horse")
        var dumped = ""
        dump([passphrase], to: &dumped)
        for text in ["\(passphrase)", String(reflecting: passphrase), "\([passphrase])", dumped] {
            #expect(!text.contains("correct") && !text.contains("99, 111"), "\(text)")
        }
        #expect(Mirror(reflecting: passphrase).children.isEmpty)
    }

    @Test(arguments: ["", "a\0b", String(repeating: "a", count: 1_025)])
    func `a passphrase has 1 to 1,024 bytes without U+0000`(text: String) {
        #expect(throws: PassphraseError.invalid) { try Passphrase(text) }
    }
}
