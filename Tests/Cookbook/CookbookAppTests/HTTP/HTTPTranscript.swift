import Foundation

/// Requests and their answers, as a person reads them.
///
/// ```
/// # A remark.
/// > POST /v1/tags as ada
/// >
/// > {"name":"Soup"}
/// < 201 Created
/// < Content-Type: application/json
/// <
/// < {"id":"01900000-0000-7000-8000-000000000004","name":"Soup"}
/// = soup
/// ```
///
/// What stands between `<` and `>` in a request is a name: `<soup>` for the id in the answer that has that name,
/// `<soup.name>` for another member of it, `<etag>` for the last entity tag that an answer gave of the request's path.
/// A request with a body is `application/json`, a PATCH `application/merge-patch+json`, unless it says otherwise. What
/// stands in parentheses at the end of the first line says how it is sent; ``TranscriptPlayer`` knows in which ways.
struct HTTPTranscript {
    /// One request with its answer.
    struct Exchange {
        var remarks: [String] = []
        var request: [String] = []
        var answer: [String] = []
        /// What the answer is called in requests that follow.
        var name: String?

        var method: String { first.first ?? "" }
        var path: String { first.count > 1 ? first[1] : "" }
        /// The status of the answer.
        var status: Int? { answer.first.flatMap { Int($0.prefix(3)) } }

        private var first: [String] { (request.first ?? "").split(separator: " ").map(String.init) }
    }

    var exchanges: [Exchange] = []

    init(_ text: String) {
        for block in text.components(separatedBy: "\n\n") {
            var exchange = Exchange()
            for line in block.split(separator: "\n").map(String.init) {
                let rest = String(line.dropFirst(2))
                switch line.first {
                case ">": exchange.request.append(rest)
                case "<": exchange.answer.append(rest)
                case "=": exchange.name = rest
                default: exchange.remarks.append(line)
                }
            }
            if !exchange.request.isEmpty { exchanges.append(exchange) }
        }
    }

    /// The text that is read as this transcript.
    var text: String {
        func marked(_ lines: [String], _ mark: String) -> [String] { lines.map { $0.isEmpty ? mark : "\(mark) \($0)" } }
        let blocks = exchanges.map { exchange in
            let lines =
                exchange.remarks + marked(exchange.request, ">") + marked(exchange.answer, "<")
                + (exchange.name.map { ["= \($0)"] } ?? [])
            return lines.joined(separator: "\n") + "\n"
        }
        return blocks.joined(separator: "\n")
    }
}

extension HTTPTranscript {
    /// The names of all transcripts.
    static let names: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        return (names ?? []).filter { $0.hasSuffix(".http") }.sorted()
    }()

    init(named name: String) throws {
        self.init(try String(contentsOfFile: Self.folder + name, encoding: .utf8))
    }

    func write(as name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: Self.folder + name))
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().path + "/Transcript/"
}
