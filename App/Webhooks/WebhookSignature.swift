internal import Crypto
public import HTTPTypes
public import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The secret that a sender and its receiver share. Use another one for each receiver.
public struct WebhookSecret: Sendable, CustomReflectable {
    private let key: SymmetricKey
    /// Without the bytes: descriptions and dumps do not contain them.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// - Parameter text: `whsec_` and the base64, with padding, of 24 to 64 random bytes, as from
    ///   `echo "whsec_$(openssl rand -base64 32)"`.
    /// - Throws: ``WebhookError/invalidSecret``.
    public init(_ text: String) throws(WebhookError) {
        guard text.hasPrefix("whsec_"), let bytes = Data(base64Encoded: String(text.dropFirst(6))),
            (24...64).contains(bytes.count)
        else { throw .invalidSecret }
        key = SymmetricKey(data: bytes)
    }

    fileprivate func code(of body: [UInt8], id: String, timestamp: String) -> HMAC<SHA256>.MAC {
        var hmac = HMAC<SHA256>(key: key)
        hmac.update(data: Array("\(id).\(timestamp).".utf8))
        hmac.update(data: body)
        return hmac.finalize()
    }

    /// The signature of a message, as in the header.
    func signature(of body: [UInt8], id: String, timestamp: String) -> String {
        WebhookSignature.version + Data(code(of: body, id: id, timestamp: timestamp)).base64EncodedString()
    }
}

/// The receiver's check of a message of Standard Webhooks.
public enum WebhookSignature {
    static let id = "webhook-id"
    static let timestamp = "webhook-timestamp"
    static let signature = "webhook-signature"
    /// The prefix of signatures with HMAC-SHA-256. The receiver ignores others.
    static let version = "v1,"

    /// Checks that a message is from a sender with one of the secrets, is unchanged, and was sent recently.
    ///
    /// ```swift
    /// let id = try WebhookSignature.check(request.headers, body: bytes, secrets: secrets)
    /// ```
    ///
    /// A message may arrive again, also from an attacker within the tolerance. Ignore ids that were processed before:
    /// store the id in the transaction that processes the message.
    ///
    /// - Parameters:
    ///   - headers: The headers of the request.
    ///   - body: The bytes of the request, as received.
    ///   - secrets: The receiver's current secrets; several while it replaces one.
    ///   - tolerance: The maximum difference between the sender's and the receiver's clock, in both directions.
    ///   - now: The receiver's time.
    /// - Returns: The id of the message.
    /// - Complexity: One HMAC-SHA-256 of the body for each secret.
    public static func check(
        _ headers: HTTPFields, body: [UInt8], secrets: [WebhookSecret], tolerance: Duration = .seconds(300),
        now: Timestamp = .now()
    ) throws(WebhookSignatureError) -> String {
        let id = try value(of: Self.id, in: headers)
        guard isValid(id: id) else { throw .malformed(Self.id) }
        let timestamp = try value(of: Self.timestamp, in: headers)
        guard let seconds = UInt32(timestamp), "\(seconds)" == timestamp else { throw .malformed(Self.timestamp) }
        let codes = try value(of: Self.signature, in: headers).split(separator: " ").compactMap { text in
            text.hasPrefix(version) ? Data(base64Encoded: String(text.dropFirst(version.count))) : nil
        }
        guard !codes.isEmpty else { throw .malformed(Self.signature) }
        let difference = now.microseconds / 1_000_000 - Int64(seconds)
        guard .seconds(difference.magnitude) <= tolerance else { throw .expired }
        for secret in secrets {
            let code = secret.code(of: body, id: id, timestamp: timestamp)
            // In constant time for codes of one length.
            if codes.contains(where: { code == $0 }) { return id }
        }
        throw .mismatch
    }

    private static func value(of name: String, in headers: HTTPFields) throws(WebhookSignatureError) -> String {
        guard let value = HTTPField.Name(name).flatMap({ headers[$0] }) else { throw .missing(name) }
        return value
    }

    /// A `.` would make the parts of the signed text ambiguous.
    static func isValid(id: String) -> Bool {
        !id.isEmpty && id.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ".") }
    }
}
