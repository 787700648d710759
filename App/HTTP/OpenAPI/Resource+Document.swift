internal import LarderApp

extension Resource {
    /// The resource's part of the OpenAPI document: the operations of its verbs, and the schemas of its members.
    static func documentPart() throws(JSONError) -> JSON {
        var text = String(decoding: PackageResources.resource_json, as: UTF8.self)
        let values = [
            "collection": name, "Collection": name.prefix(1).uppercased() + name.dropFirst(), "kind": kind.lowercased(),
            "Kind": kind, "Patch": members.patchKind(kind),
        ]
        for (name, value) in values { text = text.replacing("{{\(name)}}", with: value) }
        let part = try JSON(parsing: text)
        var result = JSON.object([])
        for verb in ResourceVerb.allCases where verbs.contains(verb) {
            let access = verb.method == "get" ? part[isPrivate ? "private" : "open"] : nil
            let operation = part["\(verb)"]?.overlaid(by: access ?? .object([]))
            result = result.overlaid(
                by: .nested(["paths", "/v1/\(name)\(verb.suffix)", verb.method], operation ?? .null))
        }
        return result.overlaid(by: .nested(["components"], part["components"] ?? .null))
            .overlaid(by: .nested(["components", "schemas"], .object(members.schemas(kind))))
    }
}

extension ResourceVerb {
    fileprivate var method: String {
        switch self {
        case .list, .read: "get"
        case .create: "post"
        case .replace: "put"
        case .patch: "patch"
        case .delete: "delete"
        }
    }

    fileprivate var suffix: String { self == .list || self == .create ? "" : "/{id}" }
}

extension JSON {
    /// Objects of one member each, around a value.
    fileprivate static func nested(_ names: [String], _ value: JSON) -> JSON {
        names.reversed().reduce(value) { .object([.init($1, $0)]) }
    }
}
