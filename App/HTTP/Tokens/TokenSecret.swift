internal import Crypto

#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// 32 bytes of chance by which somebody is known: whoever has them may do what their owner may.
///
/// Only ``text`` gives them away. A description, a dump and an interpolation do not, so that a secret that is logged by
/// mistake stays one. It is not `Equatable`: comparing it tells by its time how much of it was right.
public struct TokenSecret: Sendable {
    private static let size = 32

    /// The first characters of the text; see ``ServiceIdentity/tokenPrefix``.
    private let prefix: String
    private let bytes: [UInt8]

    /// Draws a secret.
    ///
    /// - Parameter random: 64 bits that nobody can foresee, at each call.
    init(prefix: String, random: () -> UInt64) {
        self.prefix = prefix
        bytes = (0..<Self.size / 8).flatMap { _ in
            let word = random()
            return stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    /// Reads what ``text`` gives; `nil` for every other text, also for another spelling of the same bytes.
    public init?(_ text: String, prefix: String) {
        guard text.utf8.starts(with: prefix.utf8), text.utf8.count == prefix.utf8.count + 43 else {
            return nil
        }
        let base64 = String(text.dropFirst(prefix.count).map { Self.standard[$0] ?? $0 }) + "="
        guard let data = Data(base64Encoded: base64), data.count == Self.size else { return nil }
        (self.prefix, bytes) = (prefix, Array(data))
        // Another text could stand for the same bytes, with `+` for `-` or with bits that base64 leaves unused.
        guard Array(self.text.utf8) == Array(text.utf8) else { return nil }
    }

    /// The secret itself: the prefix and 43 characters of URL-safe base64. For showing it once to its owner.
    public var text: String {
        let base64 = Data(bytes).base64EncodedString()
        return prefix + String(base64.compactMap { $0 == "=" ? nil : Self.urlSafe[$0] ?? $0 })
    }

    /// What is stored in its place. The secret has 256 bits of chance, so that no salt and no slow digest is needed.
    var digest: SHA256Digest { SHA256.hash(data: bytes) }

    private static let urlSafe: [Character: Character] = ["+": "-", "/": "_"]
    private static let standard: [Character: Character] = ["-": "+", "_": "/"]
}

extension TokenSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The prefix alone.
    public var description: String { prefix + "(hidden)" }
    public var debugDescription: String { description }
    /// Without the bytes, which `dump` would show.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
