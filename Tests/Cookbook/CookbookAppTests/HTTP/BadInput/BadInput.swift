import LarderHTTP
import LarderTesting
import Testing

/// A request that must be refused, with the expected response.
///
/// The request has the syntax of a transcript; the names are those of ``Kitchen``.
struct BadInput: Sendable, CustomTestStringConvertible {
    let name: String
    let request: [String]
    let kind: Problem.Kind
    /// Text that the response must contain, in its detail or its errors.
    let says: String

    /// - Parameter headers: Lines of header fields.
    init(
        _ name: String, _ request: String, _ headers: String..., body: String? = nil,
        is kind: Problem.Kind, says: String
    ) {
        self.name = name
        self.request = [request] + headers + (body.map { ["", $0] } ?? [])
        self.kind = kind
        self.says = says
    }

    var testDescription: String { name }

    static let all: [BadInput] = json + fields + headers + bodies + addresses + queries + policies
}
