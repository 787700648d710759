import Yams

extension APIDescription {
    /// The operation that a request is meant for; of several the one whose path has the fewest parameters.
    func operation(_ method: String, _ path: String) -> Operation? {
        let segments = path.prefix { $0 != "?" }.split(separator: "/")
        return operations.filter { operation in
            operation.method == method && operation.segments.count == segments.count
                && zip(operation.segments, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }.min { $0.wildcards < $1.wildcards }
    }

    /// The statuses that an operation lists, without `default`.
    func statuses(of operation: Operation) -> [Int] {
        entries(operation.node["responses"]).compactMap { Int($0.name) }
    }

    /// The media types that an operation's body may have; empty where there is none.
    func bodyTypes(of operation: Operation) -> [String] {
        entries(operation.node["requestBody"].map(resolved)?["content"]).map(\.name)
    }
}

extension APIDescription.Operation {
    fileprivate var segments: [Substring] { path.split(separator: "/") }
    /// How many segments stand for any text.
    fileprivate var wildcards: Int { segments.count { $0.hasPrefix("{") } }
}
