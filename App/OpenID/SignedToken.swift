internal import JWTKit
internal import LarderApp
internal import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The reason why a token is refused, for the log.
enum TokenRefusal: String, Error {
    case malformed
    case algorithm
    case unknownKey = "unknown key"
    case signature
    case issuer
    case audience
    case expired
    case notYetValid = "not yet valid"
    case subject
}

/// A token in the compact form of RFC 7515. Nothing in it is trusted before ``claims(_:_:at:)``.
struct SignedToken {
    let algorithm: OpenIDConfiguration.Algorithm
    /// The id of the key.
    let keyID: String?
    private let signed: [UInt8]
    private let payload: Substring
    private let signature: [UInt8]

    init(_ text: String, _ configuration: OpenIDConfiguration) throws(TokenRefusal) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        // A token that names critical extensions must not be accepted by a program that does not know them.
        guard parts.count == 3, let header = Self.decoded(parts[0]).flatMap({ try? JSON(parsing: $0) }),
            let signature = Self.decoded(parts[2]), header["crit"] == nil,
            header["kid"] == nil || header["kid"]?.text != nil
        else { throw .malformed }
        guard let algorithm = header["alg"]?.text.flatMap(OpenIDConfiguration.Algorithm.init),
            configuration.algorithms.contains(algorithm)
        else { throw .algorithm }
        (self.algorithm, self.signature, keyID, payload) = (algorithm, signature, header["kid"]?.text, parts[1])
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    /// Verifies the signature and the claims.
    func claims(
        _ keys: OpenIDKeySet, _ configuration: OpenIDConfiguration, at now: Timestamp
    ) throws(TokenRefusal) -> OpenIDClaims {
        guard let key = keys.key(keyID) else { throw .unknownKey }
        guard let key = key[algorithm] else { throw .algorithm }
        guard (try? key.verify(signature, signs: signed)) == true else { throw .signature }
        guard let json = Self.decoded(payload).flatMap({ try? JSON(parsing: $0) }) else { throw .malformed }
        let issuer = configuration.issuer
        guard json["iss"]?.text?.utf8.elementsEqual(issuer.utf8) == true else { throw .issuer }
        guard !configuration.audiences.isDisjoint(with: json["aud"]?.texts ?? []) else { throw .audience }
        let (now, skew) = (Double(now.microseconds) / 1e6, configuration.clockSkew / .seconds(1))
        guard let end = json["exp"]?.double, now < end + skew else { throw .expired }
        for start in ["nbf", "iat"].compactMap({ json[$0] }) {
            guard let start = start.double, start - skew <= now else { throw .notYetValid }
        }
        // Up to 255 characters of ASCII, as OpenID Connect requires: other texts can be equal, but of other bytes.
        guard let subject = json["sub"]?.text, (1...255).contains(subject.utf8.count),
            subject.utf8.allSatisfy({ $0 < 128 })
        else { throw .subject }
        return OpenIDClaims(issuer: issuer, subject: subject, json: json)
    }

    /// The bytes of URL-safe base64 without padding.
    private static func decoded(_ text: Substring) -> [UInt8]? {
        let digits = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
        return Data(base64Encoded: digits + padding).map(Array.init)
    }
}
