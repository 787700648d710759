import HTTPTypes

/// A request as a transcript has it.
struct TranscriptRequest {
    let method: HTTPRequest.Method
    let path: String
    /// Who asks; `nil` for nobody who is known.
    let user: String?
    var headers: HTTPFields = [:]
    let body: [UInt8]?
    private let way: String

    var isSentTwice: Bool { way == "(twice at once)" }
    var isAfterClosing: Bool { way == "(the store is closed)" }
    var events: Int? { number(before: "event") }
    var daysLater: Int64? { number(before: "day").map(Int64.init) }

    /// The media type of a body that names none.
    var usualType: String { method == .patch ? "application/merge-patch+json" : "application/json" }

    /// Reads the lines of a request.
    ///
    /// - Parameter meant: What a name stands for in a request of a path.
    init(_ lines: [String], meant: (_ name: String, _ path: String) throws -> String) throws {
        let words = lines[0].split(separator: " ").map(String.init)
        method = HTTPRequest.Method(words[0]) ?? .get
        let path = try Self.replacing(words[1]) { try meant($0, "") }
        self.path = path
        user = words.firstIndex(of: "as").map { words[$0 + 1] }
        way = lines[0].firstIndex(of: "(").map { String(lines[0][$0...]) } ?? ""
        let blank = lines.firstIndex(of: "") ?? lines.count
        for line in lines[1..<blank] {
            let halves = try Self.replacing(line) { try meant($0, path) }.split(
                separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, let name = HTTPField.Name(String(halves[0])) else { throw BadLine(line: line) }
            headers.append(HTTPField(name: name, value: String(halves[1].drop { $0 == " " })))
        }
        let text = try Self.replacing(lines.dropFirst(blank + 1).joined(separator: "\n")) { try meant($0, path) }
        body = blank < lines.count ? Self.bytes(text) : nil
    }

    private struct BadLine: Error { let line: String }

    private func number(before word: String) -> Int? {
        way.contains(" \(word)") ? Int(way.dropFirst().prefix { $0.isNumber }) : nil
    }

    /// The bytes that a body stands for: `(bytes 89 50)` for these two, `(300000 bytes)` for so many blanks.
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
