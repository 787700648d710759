@testable import LarderHTTP
import Testing

struct TokenSecretTests {
    private func secret(_ word: UInt64 = 0xFB_FF_3E_00_01_02_03_04) -> TokenSecret { TokenSecret { word } }

    @Test func `a secret's text is the prefix and 32 bytes in URL-safe base64, and is read back`() throws {
        let text = secret().text
        #expect(text == "larder_-_8-AAECAwT7_z4AAQIDBPv_PgABAgME-_8-AAECAwQ")
        let read = try #require(TokenSecret(text))
        #expect(read.text == text && read.digest == secret().digest)
    }

    @Test func `two secrets of the system's chance differ`() {
        let secrets = (0..<64).map { _ in TokenSecret(random: AccessTokens.systemRandom).text }
        #expect(Set(secrets).count == 64)
    }

    @Test(arguments: [
        "", "larder_", "larder_AAAA", "-_8-AAECAwT7_z4AAQIDBPv_PgABAgME-_8-AAECAwQ",
        "Larder_-_8-AAECAwT7_z4AAQIDBPv_PgABAgME-_8-AAECAwQ",
        // In the other alphabet of base64, with padding, with bits that base64 leaves unused, with a blank.
        "larder_+/8+AAECAwT7/z4AAQIDBPv/PgABAgME+/8+AAECAwQ", "larder_-_8-AAECAwT7_z4AAQIDBPv_PgABAgME-_8-AAECAwQ=",
        "larder_-_8-AAECAwT7_z4AAQIDBPv_PgABAgME-_8-AAECAwR", "larder_-_8-AAECAwT7_z4AAQIDBPv_PgABAgME-_8-AAECAw ",
        "larder_-_8-AAECAwT7_z4AAQIDBPv_PgABAgME-_8-AAECAw\u{E4}", "larder_-_8-AAECAwT7_z4AAQIDBPv_PgABAgME-_8-AAECA=Q",
    ])
    func `no other text is a secret`(text: String) {
        #expect(TokenSecret(text) == nil)
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
            #expect(text.contains("larder_(hidden)"))
            #expect(!text.contains("AAECAw") && !text.contains(/\b251\b/), "\(text)")
        }
    }
}
