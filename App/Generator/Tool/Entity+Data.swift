/// The files of Data.
extension Entity {
    func mapper(_ prefix: String) -> String {
        let arguments = (isValue ? [] : ["id: row.id()"]) + fields.map { "\($0.name): \($0.read)" }
        let limits = isLimited ? ["limits: .stored"] : []
        let enums = fields.compactMap(\.choice?.type)
        let function = isValue ? "value" : "entity"
        return """
            public import LarderData
            import LarderDomain
            public import \(prefix)Domain

            \(enums.map { "extension \($0): ColumnValue {}\n\n" }.joined())\
            /// Stores \(name.texts).
            public enum \(name.type)Mapper: \(isValue ? "Value" : "Entity")Mapper {
            \(mapping)

                public static func \(function)(from row: inout ObjectReader) throws -> \(name.type) {
            \(Self.call("try \(name.type)", arguments + limits, indent: 8))
                }
            }

            """
    }

    private var mapping: String {
        let members = fields.map(member)
        let start = "    public static let mapping ="
        let groups = uniques.map { group in
            "["
                + fields.filter { group.contains($0.name) }.flatMap(\.columns).map { "\"\($0)\"" }.joined(
                    separator: ", ") + "]"
        }
        let unique = groups.isEmpty ? "" : ",\n        unique: [\(groups.joined(separator: ", "))]"
        if isValue { return Self.list("\(start) ValueMapping<\(name.type)>(", members, indent: 4, end: ")") }
        let columns = members.count == 1 ? " [\(members[0])]" : "\n" + Self.list("        ", members, indent: 8)
        return "\(start) Mapping<\(name.type)>(\n        \"\(name.snake)\", id: \\.id,\(columns)\(unique))"
    }

    private func member(of field: Field) -> String {
        let column = EntityName.words(field.name).joined(separator: "_")
        let path = "\\.\(field.name)"
        switch field.kind {
        case .reference:
            let rule = field.onDelete ?? (field.isOptional ? "remove" : "refuse")
            return #".reference("\#(column)_id", \#(path), onDelete: .\#(rule))"#
                + (field.isUnique ? ".unique" : "")
        case .links:
            return #".links("\#(column)", \#(path), onDelete: .remove)"#
        case .objects(let type, _): return #".children("\#(column)", \#(path), \#(type)Mapper.self)"#
        case .value(let type, _): return #".value("\#(column)", \#(path), \#(type)Mapper.self)"#
        case .decimal(let scale):
            return #".decimal("\#(column)", \#(path), scale: \#(scale))"# + (field.isUnique ? ".unique" : "")
        default:
            let index = field.isUnique ? ".unique" : field == sortField ? ".indexed" : ""
            return #".column("\#(column)", \#(path))"# + index
        }
    }
}

extension Field {
    /// The call that reads the value from a row.
    fileprivate var read: String {
        switch kind {
        case .links: "row.links()"
        case .objects(let type, _): "row.children(\(type)Mapper.self)"
        case .value(let type, _): "row.value\(isOptional ? "IfPresent" : "")(\(type)Mapper.self)"
        case .decimal: "row.decimal()"
        default: "row.next()"
        }
    }
}
