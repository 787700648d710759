import Crypto
import CryptoExtras
import Foundation
import LarderApp

/// A key of an issuer. Tokens are signed without the library that verifies them.
struct TestKey: Sendable {
    let id: String?
    let algorithm: String
    /// The public key as the issuer shows it.
    var members: [String: String]
    let sign: @Sendable (Data) throws -> Data

    var jwk: JSON { .sorted(members.merging(id.map { ["kid": $0] } ?? [:]) { $1 }) }

    init(
        _ id: String?, _ algorithm: String, _ members: [String: String],
        sign: @escaping @Sendable (Data) throws -> Data
    ) {
        (self.id, self.algorithm, self.members, self.sign) = (id, algorithm, members, sign)
    }

    static func es256(_ id: String?) -> TestKey {
        let key = P256.Signing.PrivateKey()
        let point = key.publicKey.rawRepresentation
        return TestKey(
            id, "ES256",
            ["kty": "EC", "crv": "P-256", "x": point.prefix(32).base64URL, "y": point.suffix(32).base64URL]
        ) { try key.signature(for: $0).rawRepresentation }
    }

    static func es384(_ id: String?) -> TestKey {
        let key = P384.Signing.PrivateKey()
        let point = key.publicKey.rawRepresentation
        return TestKey(
            id, "ES384",
            ["kty": "EC", "crv": "P-384", "x": point.prefix(48).base64URL, "y": point.suffix(48).base64URL]
        ) { try key.signature(for: $0).rawRepresentation }
    }

    static func eddsa(_ id: String?) -> TestKey {
        let key = Curve25519.Signing.PrivateKey()
        return TestKey(
            id, "EdDSA", ["kty": "OKP", "crv": "Ed25519", "x": key.publicKey.rawRepresentation.base64URL]
        ) { try key.signature(for: $0) }
    }

    /// The key of RS256 and PS256.
    static func rsa(_ id: String?, _ algorithm: String) throws -> TestKey {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let parts = try key.publicKey.getKeyPrimitives()
        let padding = algorithm == "RS256" ? _RSA.Signing.Padding.insecurePKCS1v1_5 : .PSS
        return TestKey(
            id, algorithm, ["kty": "RSA", "n": parts.modulus.base64URL, "e": parts.publicExponent.base64URL]
        ) { try key.signature(for: $0, padding: padding).rawRepresentation }
    }

    /// HS256 with the bytes of a public key as the secret, which everybody knows.
    static func hmac(_ id: String?, of bytes: Data) -> TestKey {
        TestKey(id, "HS256", [:]) { Data(HMAC<SHA256>.authenticationCode(for: $0, using: SymmetricKey(data: bytes))) }
    }

    /// The algorithm `none`, whose signatures are empty.
    static func unsigned(_ id: String?) -> TestKey { TestKey(id, "none", [:]) { _ in Data() } }
}

extension Data {
    var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
