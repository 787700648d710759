internal import LarderApp

extension JSON {
    /// A part of an OpenAPI document with its shorthand expanded.
    ///
    /// - A name instead of an object is a reference: `"schema": "Item"`. So are names in `parameters`, `responses`,
    ///   `examples`, `properties`, `items`, `allOf` and `oneOf`, and `"$ref": "Text"` next to other members.
    /// - `headers` may be a list of names.
    /// - `statuses` lists further responses of an operation, by status: those of the kit, and `default`.
    func writtenOut() -> JSON {
        switch self {
        case .array(let elements): .array(elements.map { $0.writtenOut() })
        case .object(let members): .object(members.flatMap(Self.writtenOut)).mergingStatuses()
        default: self
        }
    }

    private static func writtenOut(_ member: Member) -> [Member] {
        let value = member.value
        switch member.name {
        // The values of an example are data, independent of their names.
        case "value", "example": return [member]
        case "$ref": return [.init("$ref", value.reference(to: "schemas")["$ref"] ?? value)]
        case "schema", "items": return [.init(member.name, value.reference(to: "schemas").writtenOut())]
        case "properties", "allOf", "oneOf": return [.init(member.name, value.references(to: "schemas"))]
        case "examples" where !value.isObject: return [member]
        case "parameters", "responses", "examples": return [.init(member.name, value.references(to: member.name))]
        case "headers":
            guard case .array(let names) = value else { return [.init(member.name, value.writtenOut())] }
            return [.init(member.name, .object(names.map { .init($0.text, $0.reference(to: "headers")) }))]
        case "statuses":
            guard case .array(let statuses) = value else { return [member] }
            let responses = statuses.map(response) + [Member("default", .string("Problem"))]
            return [.init("statuses", JSON.object(responses).references(to: "responses"))]
        default: return [.init(member.name, value.writtenOut())]
        }
    }

    private static func response(_ status: JSON) -> Member {
        let names = [
            304: "NotModified", 400: "BadRequest", 401: "Unauthorized", 403: "Forbidden", 404: "NotFound",
            409: "Conflict", 412: "PreconditionFailed", 413: "ContentTooLarge", 415: "UnsupportedMediaType",
            422: "InvalidFields", 428: "PreconditionRequired",
        ]
        guard case .integer(let code) = status else { return .init("", status) }
        return .init(String(code), .string(names[Int(code)] ?? "Problem"))
    }

    /// The elements or members, with names replaced by references.
    private func references(to kind: String) -> JSON {
        switch self {
        case .array(let elements): .array(elements.map { $0.reference(to: kind).writtenOut() })
        case .object(let members): .object(members.map { .init($0.name, $0.value.reference(to: kind).writtenOut()) })
        default: self
        }
    }

    private func reference(to kind: String) -> JSON {
        guard case .string(let name) = self else { return self }
        let path = name.hasPrefix("#") ? name : "#/components/\(kind)/\(name)"
        return .object([.init("$ref", .string(path))])
    }

    private var isObject: Bool {
        guard case .object = self else { return false }
        return true
    }

    private var text: String {
        guard case .string(let text) = self else { return "" }
        return text
    }

    private func mergingStatuses() -> JSON {
        guard case .object(let members) = self, let statuses = self["statuses"] else { return self }
        let rest = JSON.object(members.filter { $0.name != "statuses" })
        return rest.overlaid(by: .object([.init("responses", statuses)]))
    }
}
