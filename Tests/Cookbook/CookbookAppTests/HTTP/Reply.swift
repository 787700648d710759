import HTTPTypes
import LarderApp

/// What came back.
struct Reply {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The body as JSON; `null` where it is none.
    var json: JSON { (try? JSON(parsing: bytes)) ?? .null }
    var tag: String { headers[.eTag] ?? "" }
    /// The text of a member of the body.
    func string(_ name: String) -> String {
        if case .string(let text)? = json[name] { text } else { "" }
    }
}

extension Reply {
    /// The answer as a transcript has it, without the fields that are the same in each.
    var transcriptLines: [String] {
        let shown = headers.filter { !Self.everywhere.contains($0.name) }
            .map { "\($0.name): \($0.value)" }.sorted()
        let body = bodyText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return ["\(status.code)"] + shown + (bytes.isEmpty ? [] : [""] + body)
    }

    /// The body, or the bytes of one that is no text: `(bytes 89 50)`. Files of the program have tests of their own.
    private var bodyText: String {
        let isDocument = bytes.starts(with: #"{"openapi":"#.utf8)
        if let type = headers[.contentType], isDocument || Self.files.contains(where: type.hasPrefix) {
            return "(\(type))"
        }
        if let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) { return text }
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return "(bytes \(digits.joined(separator: " ")))"
    }

    private static let files = ["text/html", "text/css", "text/javascript", "text/plain", "application/yaml"]

    private static let everywhere: Set<HTTPField.Name> = {
        let names: [String] = [
            "Content-Length", "Content-Security-Policy", "Cross-Origin-Resource-Policy", "Referrer-Policy",
            "X-Content-Type-Options", "X-Request-ID",
        ]
        return Set(names.compactMap { HTTPField.Name($0) })
    }()
}
