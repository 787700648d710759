#if Service
public import HTTPTypes

/// A request of a transcript.
public struct TranscriptRequest: Sendable {
    /// The method.
    public let method: HTTPRequest.Method
    /// The path with its query.
    public let path: String
    /// The name of the caller; `nil` for an anonymous request.
    public let caller: String?
    /// The header fields.
    public var headers: HTTPFields = [:]
    /// The body.
    public let body: [UInt8]?
    private let manner: String

    var isSentTwice: Bool { manner == "(twice at once)" }
    var isAfterClosing: Bool { manner == "(the store is closed)" }
    var events: Int? { number(before: "event") }
    var daysLater: Int64? { number(before: "day").map(Int64.init) }

    /// The media type of a body without a Content-Type.
    var usualType: String { method == .patch ? "application/merge-patch+json" : "application/json" }

    /// A line is not a header field.
    struct InvalidLine: Error { let line: String }

    /// Parses the lines of a request.
    ///
    /// - Parameter meant: The value of a name in a request of a path.
    init(_ lines: [String], meant: (_ name: String, _ path: String) throws -> String) throws {
        let words = lines[0].split(separator: " ").map(String.init)
        guard words.count > 1 else { throw InvalidLine(line: lines[0]) }
        method = HTTPRequest.Method(words[0]) ?? .get
        let path = try Self.replacing(words[1]) { try meant($0, "") }
        self.path = path
        caller = words.firstIndex(of: "as").flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
        manner = lines[0].firstIndex(of: "(").map { String(lines[0][$0...]) } ?? ""
        let blank = lines.firstIndex(of: "") ?? lines.count
        for line in lines[1..<blank] {
            let halves = try Self.replacing(line) { try meant($0, path) }.split(
                separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, let name = HTTPField.Name(String(halves[0])) else {
                throw InvalidLine(line: line)
            }
            headers.append(HTTPField(name: name, value: String(halves[1].drop { $0 == " " })))
        }
        let text = try Self.replacing(lines.dropFirst(blank + 1).joined(separator: "\n")) { try meant($0, path) }
        body = blank < lines.count ? Self.bytes(text) : nil
    }

    private func number(before word: String) -> Int? {
        manner.contains(" \(word)") ? Int(manner.dropFirst().prefix { $0.isNumber }) : nil
    }

    /// The bytes of a body: `(bytes 89 50)` for these two, `(300000 bytes)` for as many spaces.
    private static func bytes(_ text: String) -> [UInt8] {
        if text.hasPrefix("(bytes ") {
            return text.dropFirst(7).dropLast().split(separator: " ").compactMap { UInt8($0, radix: 16) }
        }
        if text.hasPrefix("("), text.hasSuffix(" bytes)"), let count = Int(text.dropFirst().dropLast(7)) {
            return [UInt8](repeating: UInt8(ascii: " "), count: count)
        }
        return Array(text.utf8)
    }

    private static func replacing(_ text: String, _ meant: (String) throws -> String) rethrows -> String {
        try text.replacing(#/<([a-z][A-Za-z0-9.-]*)>/#) { try meant(String($0.output.1)) }
    }
}
#endif
