import Foundation
import HTTPTypes
import LarderDomain
import LarderWebhooks
import Testing

@Suite("The signature of a webhook")
struct WebhookSignatureTests {
    /// The example of Standard Webhooks.
    private static let example = headers("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    private static let body = Array(#"{"test": 2432232314}"#.utf8)

    private static func headers(
        _ signature: String?, id: String? = "msg_p5jXN8AQM9LWM0D4loKWxJek", time: String? = "1614265330"
    ) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in [("webhook-id", id), ("webhook-timestamp", time), ("webhook-signature", signature)] {
            fields[HTTPField.Name(name)!] = value
        }
        return fields
    }

    private func check(
        _ headers: HTTPFields = example, _ body: [UInt8] = body, _ secrets: [String] = [secretText],
        at seconds: Int64 = 1_614_265_330
    ) throws(WebhookSignatureError) -> String {
        let secrets = secrets.compactMap { try? secret($0) }
        return try WebhookSignature.check(
            headers, body: body, secrets: secrets, now: Timestamp(microseconds: seconds * 1_000_000))
    }

    @Test func `the published example is accepted`() throws {
        #expect(try check() == "msg_p5jXN8AQM9LWM0D4loKWxJek")
    }

    /// Computed with `openssl dgst -sha256 -mac HMAC`.
    @Test(
        arguments: [
            (Data(repeating: 0x30, count: 24), "evt-1", "0", [], "6WdS1GDrprbd4u0HoaO7R8sr0q6wP+Jd8BEGR0FZBaU="),
            (
                Data(0..<64), "evt-2", "1800000000", [0xFF, 0x00, 0x7B, 0x7D],
                "87QqPfjC9oYMEcz3G8eqb3dnmtvvX5ZmNk2L9DxrRF4="
            ),
        ] as [(Data, String, String, [UInt8], String)])
    func `bytes that are no text, and the shortest and longest secret, have the signatures of openssl`(
        _ key: Data, _ id: String, _ time: String, _ body: [UInt8], _ signature: String
    ) throws {
        let headers = Self.headers("v1,\(signature)", id: id, time: time)
        #expect(try check(headers, body, ["whsec_\(key.base64EncodedString())"], at: Int64(time) ?? 0) == id)
    }

    @Test func `one of several signatures and secrets is enough, and other versions are ignored`() throws {
        let code = "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        let other = Data(repeating: 1, count: 32).base64EncodedString()
        let list = Self.headers("v1a,\(code) v2,\(code) v1,\(other) v1,\(code) v1,x nonsense")
        #expect(try check(list, Self.body, [otherSecretText, secretText]) == "msg_p5jXN8AQM9LWM0D4loKWxJek")
        #expect(throws: WebhookSignatureError.mismatch) { try check(list, Self.body, [otherSecretText]) }
        #expect(throws: WebhookSignatureError.mismatch) { try check(list, Self.body, []) }
        #expect(throws: WebhookSignatureError.malformed("webhook-signature")) {
            try check(Self.headers("v1a,\(code) v2,\(code)"))
        }
        // The start of a code is no code.
        let start = Data(Data(base64Encoded: code)!.prefix(16)).base64EncodedString()
        #expect(throws: WebhookSignatureError.mismatch) { try check(Self.headers("v1,\(start) v1,")) }
    }

    @Test func `a change of the id, the timestamp or the body is noticed`() {
        let signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        for headers in [Self.headers(signature, id: "msg_2"), Self.headers(signature, time: "1614265331")] {
            #expect(throws: WebhookSignatureError.mismatch) { try check(headers) }
        }
        for body in [[], Self.body + [0x20], Array(Self.body.dropLast())] {
            #expect(throws: WebhookSignatureError.mismatch) { try check(Self.example, body) }
        }
    }

    @Test(arguments: [
        ("webhook-id", headers("v1,x", id: nil), true), ("webhook-timestamp", headers("v1,x", time: nil), true),
        ("webhook-signature", headers(nil), true), ("webhook-id", headers("v1,x", id: ""), false),
        ("webhook-id", headers("v1,x", id: "a.1"), false), ("webhook-id", headers("v1,x", id: "a b"), false),
        ("webhook-timestamp", headers("v1,x", time: "-1"), false),
        ("webhook-timestamp", headers("v1,x", time: "+1614265330"), false),
        ("webhook-timestamp", headers("v1,x", time: "01614265330"), false),
        ("webhook-timestamp", headers("v1,x", time: "1614265330.0"), false),
        ("webhook-timestamp", headers("v1,x", time: "9223372036854775807"), false),
        ("webhook-timestamp", headers("v1,x", time: "99999999999999999999"), false),
        ("webhook-signature", headers(""), false), ("webhook-signature", headers("v1,x"), false),
    ])
    func `a header that is missing or malformed is named`(_ name: String, _ headers: HTTPFields, isMissing: Bool) {
        #expect(throws: isMissing ? WebhookSignatureError.missing(name) : .malformed(name)) { try check(headers) }
    }

    @Test(arguments: [-300, 300, -301, 301, -1_614_265_330 - 62_135_596_800, 8_000_000_000_000] as [Int64])
    func `the clocks may differ by five minutes in both directions`(_ difference: Int64) throws {
        let now = 1_614_265_330 + difference
        if abs(difference) <= 300 {
            #expect(try check(at: now) == "msg_p5jXN8AQM9LWM0D4loKWxJek")
        } else {
            #expect(throws: WebhookSignatureError.expired) { try check(at: now) }
        }
    }

    @Test(arguments: [
        "", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "WHSEC_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa-_",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n", " whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_\(Data(repeating: 7, count: 23).base64EncodedString())",
        "whsec_\(Data(repeating: 7, count: 65).base64EncodedString())",
    ])
    func `a secret has a prefix and from 24 to 64 bytes in base64`(_ text: String) {
        #expect(throws: WebhookError.invalidSecret) { try WebhookSecret(text) }
    }

    @Test func `descriptions and dumps contain neither the secret nor the path and query of the URL`() throws {
        let secret = try secret()
        let webhook = try Webhook("https://example.org/path-1?token=query-1", secrets: [secret])
        var text = "\(secret) \(webhook) \([secret]) \(String(reflecting: secret)) \(String(reflecting: webhook))"
        dump([secret], to: &text)
        dump(webhook, to: &text)
        for hidden in ["MfKQ", "path-1", "query-1"] { #expect(!text.contains(hidden), "\(text)") }
        #expect(text.contains("WebhookSecret") && text.contains("example.org"))
    }
}
