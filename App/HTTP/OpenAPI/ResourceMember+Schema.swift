internal import LarderApp

extension [ResourceMember] {
    /// The schemas of a representation, of a patch, of a body for `POST` and `PUT`, and of the objects in lists.
    ///
    /// - Parameter kind: The name of the representation's schema.
    func schemas(_ kind: String) -> [JSON.Member] {
        let parts = flatMap { member in
            member.values.parts.isEmpty ? [] : member.values.parts.schemas(member.values.partKind)
        }
        let required = filter { $0.access == .required }.map { JSON.string($0.name) }
        let sent = JSON.Member(patchKind(kind), .object(Self.type + [.init("properties", .object(compactMap(\.sent)))]))
        let content = JSON.array([
            .string(sent.name), .object(Self.type + [.init("required", .array(required))]),
        ])
        let shown: [JSON.Member] = [
            .init("required", .array(map { .string($0.name) })), .init("properties", .object(map(\.shown))),
        ]
        return [.init(kind, .object(Self.type + shown)), sent]
            + (required.isEmpty ? [] : [.init("\(kind)Content", .object([.init("allOf", content)]))]) + parts
    }

    /// The name of the schema of a patch: that of a whole body if no member is required.
    func patchKind(_ kind: String) -> String {
        contains { $0.access == .required } ? "\(kind)Members" : "\(kind)Content"
    }

    private static var type: [JSON.Member] { [.init("type", .string("object"))] }
}

extension ResourceMember {
    fileprivate var shown: JSON.Member {
        let isNullable = access == .optional || access == .optionalReadOnly
        let schema = isNullable ? Self.orNull(values.shown) : values.shown
        let flag = access.isReadOnly ? [JSON.Member("readOnly", .bool(true))] : []
        return .init(name, .object(schema + flag + description))
    }

    fileprivate var sent: JSON.Member? {
        guard !access.isReadOnly else { return nil }
        let schema = access == .required ? values.sent : Self.orNull(values.sent)
        return .init(name, .object(schema + description))
    }

    private var description: [JSON.Member] { about.map { [.init("description", .string($0))] } ?? [] }

    /// A schema, or null. The kit has a schema for each of its types that may be null.
    private static func orNull(_ schema: [JSON.Member]) -> [JSON.Member] {
        let json = JSON.object(schema)
        if case .string(let name)? = json["$ref"] {
            guard ["ID", "Instant", "Text"].contains(name) else {
                return [.init("oneOf", .array([json, .object([.init("type", .string("null"))])]))]
            }
            return [.init("$ref", .string("Optional\(name)"))] + schema.filter { $0.name != "$ref" }
        }
        return schema.map { $0.name == "type" ? .init("type", .array([$0.value, .string("null")])) : $0 }
    }
}
