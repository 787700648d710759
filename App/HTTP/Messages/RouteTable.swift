public import HTTPTypes
public import Hummingbird
private import Synchronization

/// The methods of each path of a service; filled after all routes have been added.
public final class RouteTable: Sendable {
    fileprivate struct Entry {
        let segments: [Substring]
        var methods: Set<HTTPRequest.Method>
    }

    private let entries = Mutex<[Entry]>([])

    /// Makes an empty table.
    public init() {}

    /// Adds the routes of a router.
    public func fill<Context>(from router: Router<Context>) {
        let paths = Dictionary(grouping: router.routes) { $0.path.description }
        let known = paths.map { path, routes in
            Entry(segments: path.split(separator: "/"), methods: Set(routes.map(\.method)))
        }
        entries.withLock { $0 = known }
    }

    /// The methods of all paths, in alphabetical order.
    public var allMethods: [HTTPRequest.Method] {
        let all = entries.withLock { $0.reduce(into: Set<HTTPRequest.Method>()) { $0.formUnion($1.methods) } }
        return all.union([.options]).sorted { $0.rawValue < $1.rawValue }
    }

    /// The methods of a path and the implied ones, in alphabetical order; empty for an unknown path.
    public func methods(of path: String) -> [HTTPRequest.Method] {
        let segments = path.utf8.split(separator: UInt8(ascii: "/"))
        // The router prefers a name to a placeholder, and does not backtrack if the name has no route for the method.
        let entry = entries.withLock { entries in
            entries.filter { $0.matches(segments) }.max { $0.names.lexicographicallyPrecedes($1.names) }
        }
        guard var methods = entry?.methods else { return [] }
        if methods.contains(.get) { methods.insert(.head) }
        methods.insert(.options)
        return methods.sorted { $0.rawValue < $1.rawValue }
    }
}

extension RouteTable.Entry {
    /// For each segment, 1 for a name and 0 for a placeholder.
    fileprivate var names: [Int] { segments.map { $0.hasPrefix("{") ? 0 : 1 } }

    /// Whether a path of segments matches this route; a segment of the route in braces matches any segment.
    fileprivate func matches(_ path: [Substring.UTF8View]) -> Bool {
        segments.count == path.count
            && zip(segments, path).allSatisfy { $0.hasPrefix("{") || $0.utf8.elementsEqual($1) }
    }
}
