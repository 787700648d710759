/// A language tag in the syntax of BCP 47: subtags of letters and digits joined by hyphens, such as `de` or `pt-br`.
///
/// Tags are case-insensitive and stored in lower case. The registration of a tag is not checked.
public struct LanguageTag: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The tag in lower case.
    public let rawValue: String

    /// Parses a tag in any case: 2 to 8 letters, then up to seven subtags of 1 to 8 letters or digits; `nil` for any
    /// other text.
    public init?(rawValue: String) {
        // Eight subtags of eight characters, and the hyphens between them.
        guard rawValue.utf8.count <= 71 else { return nil }
        let tag = rawValue.lowercased()
        let parts = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let first = parts.first, first.count >= 2, first.allSatisfy(letters.contains), parts.count <= 8,
            parts.allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy { letters ~= $0 || digits ~= $0 } })
        else { return nil }
        self.rawValue = tag
    }

    /// The tag in lower case.
    public var description: String { rawValue }
}
