import LarderApp
import LarderHTTP
import Testing
import Yams

@testable import CookbookApp

/// The service's OpenAPI document.
struct APIDescription {
    /// An operation of the document.
    struct Operation: CustomStringConvertible {
        /// In upper case.
        let method: String
        let path: String
        let node: Node
        /// The parameters of the path and of the operation, with references resolved.
        let parameters: [Node]

        var description: String { "\(method) \(path)" }

        /// The names of the query parameters.
        var query: [String] {
            parameters.filter { $0["in"]?.string == "query" }.compactMap { $0["name"]?.string }
        }
    }

    let root: Node
    let operations: [Operation]

    init() throws {
        // YAML 1.2 includes JSON.
        let text = String(decoding: try CookbookAPI.madePages.get().document.json.bytes(), as: UTF8.self)
        root = try #require(try Yams.compose(yaml: text))
        operations = Self.operations(in: root)
    }

    private static func operations(in root: Node) -> [Operation] {
        let methods: Set<String> = ["get", "put", "post", "patch", "delete"]
        return entries(root["paths"]).flatMap { path, item in
            entries(item).filter { methods.contains($0.name) }.map { method, node in
                let parameters = list(item["parameters"]) + list(node["parameters"])
                return Operation(
                    method: method.uppercased(), path: path, node: node,
                    parameters: parameters.map { resolved($0, in: root) })
            }
        }
    }

    /// The members of a schema, including those from `allOf`.
    func members(of schema: String) -> [(name: String, schema: Node)] {
        root["components"]?["schemas"]?[schema].map(members) ?? []
    }

    private func members(of schema: Node) -> [(name: String, schema: Node)] {
        let schema = resolved(schema)
        return list(schema["allOf"]).flatMap(members) + entries(schema["properties"]).map { ($0.name, $0.node) }
    }

    /// The media types of an operation's request body; empty if it has none.
    func bodyTypes(of operation: Operation) -> [String] {
        entries(operation.node["requestBody"].map(resolved)?["content"]).map(\.name)
    }

    /// Resolves a reference and adds its sibling members.
    func resolved(_ node: Node) -> Node { Self.resolved(node, in: root) }

    func entries(_ node: Node?) -> [(name: String, node: Node)] { Self.entries(node) }

    func list(_ node: Node?) -> [Node] { Self.list(node) }

    private static func resolved(_ node: Node, in root: Node) -> Node {
        guard let path = node["$ref"]?.string else { return node }
        var target: Node? = root
        for name in path.dropFirst(2).split(separator: "/") { target = target?[String(name)] }
        guard let target else { return node }
        var mapping = resolved(target, in: root).mapping ?? [:]
        for (key, value) in node.mapping ?? [:] where key.string != "$ref" { mapping[key] = value }
        return .mapping(mapping)
    }

    private static func entries(_ node: Node?) -> [(name: String, node: Node)] {
        (node?.mapping ?? [:]).compactMap { key, value in key.string.map { ($0, value) } }
    }

    private static func list(_ node: Node?) -> [Node] {
        node?.sequence.map(Array.init) ?? []
    }
}
