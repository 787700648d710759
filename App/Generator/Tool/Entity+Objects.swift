/// The parts of a resource for owned objects and value objects.
extension Entity {
    /// The functions that read and represent an object, and its members.
    var partOfResource: String { (isValue ? valueReader : ownedReader) + representation }

    private var valueReader: String {
        """

            private static func \(name.variable)(from fields: inout JSONFields) -> \(name.type)? {
        \(reading(indent: 8, ids: "ids"))
        \(requirement)        return fields.made { () throws(InvalidField) in
        \(Self.call("try \(name.type)", arguments, indent: 12))
                }
            }

        """
    }

    private var ownedReader: String {
        """

            /// An object with the id of an existing one replaces it; any other is new.
            private static func \(name.variable)(
                from fields: inout JSONFields, replacing old: [\(name.type)], _ ids: any IDGenerator
            ) -> \(name.type)? {
                let id = fields.id("id", of: \(name.type).self)
        \(reading(indent: 8, ids: "ids"))
        \(requirement)        let known = old.first { $0.id == id }?.id
                return fields.made { () throws(InvalidField) in
        \(Self.call("try \(name.type)", ["id: known ?? ids.next()"] + arguments, indent: 12))
                }
            }

        """
    }

    private var requirement: String {
        let names = required.map { "let \($0.name)" }.joined(separator: ", ")
        return names.isEmpty ? "" : "        guard \(names) else { return nil }\n"
    }

    private var representation: String {
        let id = isValue ? [] : [".init(\"id\", .string(\(name.variable).id.description))"]
        let values = id + fields.map { ".init(\"\($0.name)\", \($0.json("\(name.variable).\($0.name)")))" }
        let about = "The id of an existing object; without it, the object is new."
        let partID = isValue ? [] : [".init(\"id\", .partID, .defaulted, \"\(about)\")"]
        let start = "    private static let \(name.variable)Members: [ResourceMember] = "
        return """

                private static func json(_ \(name.variable): \(name.type)) -> JSON {
            \(Self.list("        .object(", values, indent: 8, end: ")"))
                }

            \(Self.list(start, partID + fields.map(\.member), indent: 4))

            """
    }
}
