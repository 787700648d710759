@testable import LarderHTTP
import Testing

struct TokenSecretTests {
    private func secret(_ word: UInt64 = 0xFB_FF_3E_00_01_02_03_04) -> TokenSecret {
        TokenSecret(prefix: "loans_") { word }
    }

    @Test func `a secret's text is the prefix and 32 bytes in URL-safe base64, and is read back`() throws {
        let text = secret().text
        #expect(text == "loans_-_8-AAECAwT7_z4AAQIDBPv_PgABAgME-_8-AAECAwQ")
        let read = try #require(TokenSecret(text, prefix: "loans_"))
        #expect(read.text == text && read.digest == secret().digest)
    }

    @Test func `two secrets of the system's chance differ`() {
        let secrets = (0..<64).map { _ in TokenSecret(prefix: "loans_", random: AccessTokens.systemRandom).text }
        #expect(Set(secrets).count == 64)
    }

    @Test(arguments: [
        "", "loans_", "loans_AAAA", "-_8-AAECAwT7_z4AAQIDBPv_PgABAgME-_8-AAECAwQ",
        "Larder_-_8-AAECAwT7_z4AAQIDBPv_PgABAgME-_8-AAECAwQ",
        // In the other alphabet of base64; with padding; with bits that base64 leaves unused; with a space.
        "loans_+/8+AAECAwT7/z4AAQIDBPv/PgABAgME+/8+AAECAwQ", "loans_-_8-AAECAwT7_z4AAQIDBPv_PgABAgME-_8-AAECAwQ=",
        "loans_-_8-AAECAwT7_z4AAQIDBPv_PgABAgME-_8-AAECAwR", "loans_-_8-AAECAwT7_z4AAQIDBPv_PgABAgME-_8-AAECAw ",
        "loans_-_8-AAECAwT7_z4AAQIDBPv_PgABAgME-_8-AAECAw\u{E4}", "loans_-_8-AAECAwT7_z4AAQIDBPv_PgABAgME-_8-AAECA=Q",
    ])
    func `no other text is a secret`(text: String) {
        #expect(TokenSecret(text, prefix: "loans_") == nil)
    }

    @Test func `nothing that shows values shows the secret`() {
        struct Holder { let secret: TokenSecret }
        let secret = secret()
        var dumped = ""
        dump(Holder(secret: secret), to: &dumped)
        dump(secret, to: &dumped)
        let shown = [
            "\(secret)", String(reflecting: secret), "\(Holder(secret: secret))", "\([secret])",
            "\(Optional(secret).debugDescription)", dumped,
        ]
        for text in shown {
            #expect(text.contains("loans_(hidden)"))
            #expect(!text.contains("AAECAw") && !text.contains(/\b251\b/), "\(text)")
        }
    }
}
