#if Service
internal import Foundation

/// Requests and their responses in a readable form.
///
/// ```
/// # A remark.
/// > POST /v1/books as ada
/// >
/// > {"title":"Emma"}
/// < 201
/// < Content-Type: application/json
/// <
/// < {"id":"01900000-0000-7000-8000-000000000004","title":"Emma"}
/// = emma
/// ```
///
/// A name between `<` and `>` in a request is replaced: `<emma>` by the id in the response with that name,
/// `<emma.title>` by another member of it, `<etag>` by the last entity tag of the request's path. A request with a body
/// is `application/json`, a PATCH `application/merge-patch+json`, unless it has a Content-Type. Parentheses at the end
/// of the first line state how a request is sent; see ``HTTPTranscriptPlayer``.
public struct HTTPTranscript: Sendable {
    /// One request with its response.
    public struct Exchange: Sendable {
        /// The lines above the request.
        public var remarks: [String] = []
        /// The lines of the request.
        public var request: [String] = []
        /// The lines of the response.
        public var answer: [String] = []
        /// The name of the response in later requests.
        public var name: String?

        /// The method of the request.
        public var method: String { first.first ?? "" }
        /// The path of the request, with its query.
        public var path: String { first.count > 1 ? first[1] : "" }
        /// The status of the response.
        public var status: Int? { answer.first.flatMap { Int($0.prefix(3)) } }

        private var first: [String] { (request.first ?? "").split(separator: " ").map(String.init) }
    }

    /// The requests in their order.
    public internal(set) var exchanges: [Exchange] = []

    /// Parses a transcript.
    public init(_ text: String) {
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

    /// Reads a transcript from a file.
    public init(file: String) throws {
        self.init(try String(contentsOfFile: file, encoding: .utf8))
    }

    /// The text of this transcript, from which it can be parsed.
    public var text: String {
        func marked(_ lines: [String], _ mark: String) -> [String] { lines.map { $0.isEmpty ? mark : "\(mark) \($0)" } }
        let blocks = exchanges.map { exchange in
            let lines =
                exchange.remarks + marked(exchange.request, ">") + marked(exchange.answer, "<")
                + (exchange.name.map { ["= \($0)"] } ?? [])
            return lines.joined(separator: "\n") + "\n"
        }
        return blocks.joined(separator: "\n")
    }

    /// Writes the transcript to a file.
    public func write(to file: String) throws { try Data(text.utf8).write(to: URL(filePath: file)) }

    /// Sends all requests, and records their responses.
    ///
    /// - Parameters:
    ///   - player: Sends the requests to a service.
    ///   - isRewriting: Whether the responses may differ from the transcript's.
    /// - Returns: A finding for each response that differs, and for each that breaks a rule of every response.
    public mutating func play<API>(
        _ player: HTTPTranscriptPlayer<API>, isRewriting: Bool = false
    ) async throws -> [String] {
        var player = player
        var findings: [String] = []
        for (index, exchange) in exchanges.enumerated() {
            let (answer, faults) = try await player.play(exchange)
            findings += faults.map { "\(exchange.request[0]): \($0)" }
            if !isRewriting, answer != exchange.answer {
                let (said, expected) = (answer.joined(separator: "\n"), exchange.answer.joined(separator: "\n"))
                findings.append("\(exchange.request[0])\nis answered\n\(said)\ninstead of\n\(expected)")
            }
            exchanges[index].answer = answer
        }
        return findings
    }
}
#endif
