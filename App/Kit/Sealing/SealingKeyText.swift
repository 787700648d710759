#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderData
public import LarderDecorators
internal import LarderDomain

extension SealingKeys {
    /// The id of the key that hashes columns with equality.
    public static let equalityID = "equality"

    /// The keys in a file that other users cannot read.
    ///
    /// Each line has the id and the key: `2026-11 base64`, with 32 bytes in base64 or 64 hexadecimal digits. The first
    /// key is the current one. The key `equality`, in any line, is for hashes. Empty lines, and lines that start with
    /// `#`, are ignored.
    ///
    /// - Throws: `CommandFailure` with the path and the line, and without the key.
    public static func read(file path: String) throws(CommandFailure) -> SealingKeys {
        try SealingKeys(text: PrivateFile.text(at: path), source: path)
    }

    /// The keys in a text of the same form, such as the value of an environment variable.
    ///
    /// - Parameters:
    ///   - text: A line for each key.
    ///   - source: The name of the text in errors.
    public init(text: String, source: String) throws(CommandFailure) {
        var keys: [Key] = []
        var equality: Key?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            func refusal(_ message: String) -> CommandFailure {
                CommandFailure(.configuration, "\(source), line \(index + 1): \(message)")
            }
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            if words.isEmpty || words[0].hasPrefix("#") { continue }
            guard words.count == 2, Self.bytes(words[0])?.count != AESCipher.keySize else {
                throw refusal("expected the id of a key and the key")
            }
            guard let bytes = Self.bytes(words[1]), let cipher = try? AESCipher(key: bytes) else {
                throw refusal("the key must be \(AESCipher.keySize) bytes in base64, or 64 hexadecimal digits")
            }
            let key = Key(words[0], cipher)
            if key.id != Self.equalityID {
                keys.append(key)
            } else if equality == nil {
                equality = key
            } else {
                throw refusal("the key '\(key.id)' is given twice")
            }
        }
        guard let current = keys.first else {
            throw CommandFailure(
                .configuration, "\(source) has no sealing key",
                advice: "Add a line with an id and 32 random bytes: echo \"k1 $(openssl rand -base64 32)\"")
        }
        do {
            try self.init(current: current, older: Array(keys.dropFirst()), equality: equality)
        } catch {
            throw CommandFailure(.configuration, "\(source): \(error)")
        }
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.compactMap(\.hexDigitValue)
        if digits.count == 64, text.utf8.count == 64 {
            return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        }
        return Data(base64Encoded: text).map(Array.init)
    }
}
