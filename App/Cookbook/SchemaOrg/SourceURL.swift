/// The parts of addresses and identifiers that distinguish sources.
enum SourceURL {
    /// The host of an absolute URL, in lower case and without `www.`; `nil` for any other text.
    static func host(_ text: String) -> String? {
        guard let start = text.range(ofASCII: "://") else { return nil }
        let scheme = text.utf8[..<start.lowerBound]
        guard let first = scheme.first, isLetter(first), scheme.allSatisfy(isPartOfScheme) else { return nil }
        let ends: Set<UInt8> = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\\")]
        var authority = text.utf8[start.upperBound...].prefix { !ends.contains($0) }
        if let user = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[user...].dropFirst() }
        let host = authority.prefix { $0 != UInt8(ascii: ":") }
        guard !host.isEmpty, let text = String(Substring(host).utf8)?.lowercased() else { return nil }
        return text.hasPrefix("www.") ? String(text.dropFirst(4)) : text
    }

    /// Whether an identifier is unique without its source: it contains a host, or its scheme makes it so.
    static func isGlobal(_ identifier: String) -> Bool {
        host(identifier) != nil || schemes.contains { identifier.hasPrefix($0) }
    }

    /// Whether an identifier is meaningful in its document only: a fragment, or a blank node.
    static func isLocal(_ identifier: String) -> Bool { identifier.hasPrefix("#") || identifier.hasPrefix("_:") }

    /// `digest:` is that of this program.
    private static let schemes = ["urn:", "digest:", "tag:", "doi:", "info:"]

    private static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
    }

    private static func isPartOfScheme(_ byte: UInt8) -> Bool {
        isLetter(byte) || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || [0x2B, 0x2D, 0x2E].contains(byte)
    }
}

extension String {
    /// The range of the first occurrence of an ASCII text of which no part repeats.
    fileprivate func range(ofASCII text: StaticString) -> Range<String.Index>? {
        let wanted = Array(text.description.utf8)
        for start in utf8.indices where utf8[start] == wanted[0] {
            let rest = utf8[start...]
            if rest.starts(with: wanted) { return start..<utf8.index(start, offsetBy: wanted.count) }
        }
        return nil
    }
}
