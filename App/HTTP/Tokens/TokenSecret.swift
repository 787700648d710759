internal import Crypto

#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// A secret of 32 random bytes, which gives its bearer all permissions of its owner.
///
/// Only ``text`` reveals the bytes. A description, a dump and an interpolation do not, so that a secret that is logged
/// by mistake stays secret. It is not `Equatable`, because the time of a comparison reveals how many bytes are right.
public struct TokenSecret: Sendable {
    private static let size = 32

    /// The first characters of the text; see ``ServiceIdentity/tokenPrefix``.
    private let prefix: String
    private let bytes: [UInt8]

    /// Generates a secret.
    ///
    /// - Parameter random: Returns 64 unpredictable bits at each call.
    init(prefix: String, random: () -> UInt64) {
        self.prefix = prefix
        bytes = (0..<Self.size / 8).flatMap { _ in
            let word = random()
            return stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    /// Parses a ``text``; `nil` for any other text, also for another encoding of the same bytes.
    public init?(_ text: String, prefix: String) {
        guard text.utf8.starts(with: prefix.utf8), text.utf8.count == prefix.utf8.count + 43 else {
            return nil
        }
        let digits = text.utf8.dropFirst(prefix.utf8.count)
        guard let data = Data(base64Encoded: Data(digits.map(Self.standard) + [UInt8(ascii: "=")])),
            data.count == Self.size
        else { return nil }
        (self.prefix, bytes) = (prefix, Array(data))
        // Another text could encode the same bytes: with `+` for `-`, or with bits that base64 leaves unused.
        guard self.digits.elementsEqual(digits) else { return nil }
    }

    /// The secret itself: the prefix and 43 characters of URL-safe base64. Show it once to its owner.
    public var text: String {
        prefix + String(decoding: digits, as: UTF8.self)
    }

    /// The 43 characters.
    private var digits: [UInt8] { Data(bytes).base64EncodedData().dropLast().map(Self.urlSafe) }

    /// The digest that is stored. The secret has 256 random bits, so it needs neither a salt nor a slow hash.
    var digest: SHA256Digest { SHA256.hash(data: bytes) }

    private static func urlSafe(_ digit: UInt8) -> UInt8 {
        switch digit {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: digit
        }
    }

    private static func standard(_ digit: UInt8) -> UInt8 {
        switch digit {
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: digit
        }
    }
}

extension TokenSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Only the prefix.
    public var description: String { prefix + "(hidden)" }
    public var debugDescription: String { description }
    /// Without the bytes, which `dump` would print.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
