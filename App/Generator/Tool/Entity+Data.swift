/// The files of Data.
extension Entity {
    func mapper(_ prefix: String) -> String {
        let arguments = ["id: row.id()"] + fields.map { "\($0.name): \($0.read)" }
        let limits = fields.contains { $0.kind == .string } ? ["limits: .stored"] : []
        let all = fields.map(member)
        let enums = fields.compactMap(\.choice?.type)
        let list = all.map { "            \($0),\n" }.joined()
        let members = all.count == 1 ? "[\(all[0])]" : "\n        [\n\(list)        ]"
        return """
            public import LarderData
            import LarderDomain
            public import \(prefix)Domain

            \(enums.map { "extension \($0): ColumnValue {}\n\n" }.joined())\
            /// Stores \(name.texts).
            public enum \(name.type)Mapper: EntityMapper {
                public static let mapping = Mapping<\(name.type)>(
                    "\(name.snake)", id: \\.id,\(all.count == 1 ? " " : "")\(members))

                public static func entity(from row: inout ObjectReader) throws -> \(name.type) {
            \(Self.call("try \(name.type)", arguments + limits, indent: 8))
                }
            }

            """
    }

    private func member(of field: Field) -> String {
        let column = EntityName.words(field.name).joined(separator: "_")
        let path = "\\.\(field.name)"
        switch field.kind {
        case .reference:
            let rule = field.isOptional ? "remove" : "refuse"
            return #".reference("\#(column)_id", \#(path), onDelete: .\#(rule))"#
                + (field.isUnique ? ".unique" : "")
        case .links:
            return #".links("\#(column)", \#(path), onDelete: .remove)"#
        case .objects(let type, _): return #".children("\#(column)", \#(path), \#(type)Mapper.self)"#
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
        default: "row.next()"
        }
    }
}
