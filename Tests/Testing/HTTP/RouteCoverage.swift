#if Service
public import LarderApp

/// Compares the routes of a service with its OpenAPI document, and the document with transcripts.
public struct RouteCoverage: Sendable {
    /// Each operation and status of the document that the routes have: `GET /v1/books 200`.
    public let listed: [String]
    private let routes: Set<String>
    private let operations: [Operation]

    private struct Operation {
        let method: String
        let path: String
        let statuses: [Int]

        var name: String { "\(method) \(path)" }
        var segments: [Substring] { path.split(separator: "/") }
    }

    /// The statuses that any request may have without listing them: those of the response `default`.
    public static let general: Set<Int> = [401, 405, 408, 413, 414, 431, 500, 503]

    /// - Parameters:
    ///   - routes: Each route as `GET /v1/books/{id}`.
    ///   - document: The OpenAPI document.
    public init(routes: [String], document: JSON) {
        self.routes = Set(routes)
        let methods: Set<String> = ["get", "put", "post", "patch", "delete"]
        operations = Self.members(document["paths"]).flatMap { path in
            Self.members(path.value).filter { methods.contains($0.name) }.map { operation in
                Operation(
                    method: operation.name.uppercased(), path: path.name,
                    statuses: Self.members(operation.value["responses"]).compactMap { Int($0.name) })
            }
        }
        listed = operations.filter { routes.contains($0.name) }.flatMap { operation in
            operation.statuses.map { "\(operation.name) \($0)" }
        }
    }

    /// Routes without a description, descriptions without a route, listed statuses that no transcript has, and statuses
    /// of transcripts that are not listed.
    public func findings(_ transcripts: [HTTPTranscript]) -> [String] {
        let described = Set(operations.map(\.name))
        var findings = routes.subtracting(described).sorted().map { "\($0) is not described" }
        findings += described.subtracting(routes).sorted().map { "\($0) is described and has no route" }
        var met: Set<String> = []
        for exchange in transcripts.flatMap(\.exchanges) {
            guard let operation = operation(exchange.method, exchange.path) else { continue }
            guard let status = exchange.status else {
                findings.append("\(exchange.request[0]) has no answer")
                continue
            }
            met.insert("\(operation.name) \(status)")
            if !operation.statuses.contains(status), !Self.general.contains(status) {
                findings.append("\(operation.name) is answered \(status), which is not described")
            }
        }
        return findings + listed.filter { !met.contains($0) }.map { "\($0) is in no transcript" }
    }

    /// The operation of a request; of several, the one whose path has the fewest parameters.
    private func operation(_ method: String, _ path: String) -> Operation? {
        let segments = path.prefix { $0 != "?" }.split(separator: "/")
        return operations.filter { operation in
            operation.method == method && operation.segments.count == segments.count
                && zip(operation.segments, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }.min { $0.segments.count { $0.hasPrefix("{") } < $1.segments.count { $0.hasPrefix("{") } }
    }

    private static func members(_ json: JSON?) -> [JSON.Member] {
        if case .object(let members)? = json { members } else { [] }
    }
}
#endif
