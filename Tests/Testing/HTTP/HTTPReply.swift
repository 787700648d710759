#if Service
public import HTTPTypes
public import Hummingbird
public import LarderApp

/// A response with its complete body.
public struct HTTPReply: Sendable {
    /// The status.
    public let status: HTTPResponse.Status
    /// The header fields.
    public let headers: HTTPFields
    /// The body.
    public let bytes: [UInt8]

    /// Reads the body of a response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - events: The number of events after which the client leaves a stream of them.
    public init(_ response: Response, events: Int? = nil) async throws {
        let collector = BodyCollector(events: events)
        do {
            try await response.body.write(collector)
        } catch is BodyCollector.Enough {}
        (status, headers, bytes) = (response.status, response.headers, collector.bytes)
    }

    /// The body as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The lines of the body.
    public var lines: [String] { text.split(separator: "\n").map(String.init) }
    /// The body as JSON; `null` if it is not JSON.
    public var json: JSON { (try? JSON(parsing: bytes)) ?? .null }
    /// The entity tag; empty if there is none.
    public var tag: String { headers[.eTag] ?? "" }

    /// The text of a member of the body; empty if there is none.
    public func string(_ name: String) -> String {
        if case .string(let text)? = json[name] { text } else { "" }
    }
}

extension HTTPReply {
    /// The lines of the response in a transcript, without the fields that each response has.
    public var transcriptLines: [String] {
        let shown = headers.filter { !Self.everywhere.contains($0.name) }
            .map { "\($0.name): \($0.value)" }.sorted()
        let body = bodyText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return ["\(status.code)"] + shown + (bytes.isEmpty ? [] : [""] + body)
    }

    /// The body, or its bytes if it is not text: `(bytes 89 50)`. Other tests check the program's files.
    private var bodyText: String {
        let isDocument = bytes.starts(with: #"{"openapi":"#.utf8)
        if let type = headers[.contentType], isDocument || Self.files.contains(where: type.hasPrefix) {
            return "(\(type))"
        }
        if let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) { return text }
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return "(bytes \(digits.joined(separator: " ")))"
    }

    private static let files = [
        "text/html", "text/css", "text/javascript", "text/plain", "application/yaml", "application/octet-stream",
    ]

    private static let everywhere: Set<HTTPField.Name> = {
        let names: [String] = [
            "Content-Length", "Content-Security-Policy", "Cross-Origin-Resource-Policy", "Referrer-Policy",
            "X-Content-Type-Options", "X-Request-ID",
        ]
        return Set(names.compactMap { HTTPField.Name($0) })
    }()
}
#endif
