/// Removes the tags and comments of HTML from a text.
///
/// - Complexity: O(*n*): a tag contains no `<`, and a failed search for an end is not repeated.
struct HTMLTags {
    private let bytes: [UInt8]
    private var position = 0
    private var rest: [UInt8] = []
    /// The ends that were not found.
    private var missing: Set<String> = []
    /// The removed elements whose content is not text.
    private(set) var lost: Set<String> = []
    /// Whether there was any tag.
    private(set) var hasFound = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The text without tags; block elements and `br` become line breaks, cells of tables become spaces.
    mutating func removed() -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "<")) else { return bytes }
        rest.reserveCapacity(bytes.count)
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "<"), skipsComment() || skipsTag() {
                hasFound = true
            } else {
                rest.append(byte)
                position += 1
            }
        }
        return rest
    }

    private mutating func skipsComment() -> Bool {
        guard bytes[position...].starts(with: "<!--".utf8), let end = end(of: "-->", from: position + 4) else {
            return false
        }
        position = end
        return true
    }

    private mutating func skipsTag() -> Bool {
        var next = position + 1
        let isEnd = next < bytes.count && bytes[next] == UInt8(ascii: "/")
        if isEnd { next += 1 }
        let start = next
        while next < bytes.count, next - start < 12, Self.isLetterOrDigit(bytes[next]) { next += 1 }
        let name = String(decoding: bytes[start..<next], as: UTF8.self).lowercased()
        guard let kind = Self.kinds[name], next < bytes.count, !Self.isLetterOrDigit(bytes[next]),
            let end = bytes[next...].firstIndex(where: { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }),
            bytes[end] == UInt8(ascii: ">")
        else { return false }
        position = end + 1
        switch kind {
        case .block: rest.append(0x0A)
        case .cell: rest.append(0x20)
        case .inline: break
        case .lost: lost.insert(name)
        case .hidden:
            if !isEnd, let end = self.end(of: "</\(name)", from: position) { position = end - name.utf8.count - 2 }
        }
        return true
    }

    /// The position after the next occurrence of a text.
    private mutating func end(of text: String, from start: Int) -> Int? {
        guard !missing.contains(text) else { return nil }
        let wanted = Array(text.utf8)
        var index = start
        while index + wanted.count <= bytes.count {
            if bytes[index] == wanted[0], bytes[index...].starts(with: wanted) { return index + wanted.count }
            index += 1
        }
        missing.insert(text)
        return nil
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private enum Kind { case block, cell, inline, lost, hidden }

    private static let kinds: [String: Kind] = {
        var kinds: [String: Kind] = [:]
        for (kind, names) in [
            (
                Kind.block,
                "address article aside blockquote br dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header"
            ),
            (.block, "hr li main nav ol p pre section table tbody tfoot thead tr ul"), (.cell, "td th"),
            (.inline, "abbr b big center cite code del dfn em font i ins kbd label mark q s samp small span strike"),
            (.inline, "strong sub sup time tt u var wbr"),
            (.lost, "a audio button embed form iframe img input object picture select source svg textarea video"),
            (.hidden, "noscript script style"),
        ] {
            for name in names.split(separator: " ") { kinds[String(name)] = kind }
        }
        return kinds
    }()
}
