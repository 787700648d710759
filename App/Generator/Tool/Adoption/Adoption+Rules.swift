extension Adoption {
    /// The columns that are unique alone.
    func uniqueColumns(of table: SourceTable) -> Set<String> {
        let groups = [table.identity] + table.indexes.filter(\.isWhole).map { $0.columns.compactMap(\.self) }
        return Set(groups.filter { $0.count == 1 }.joined())
    }

    /// The groups of fields that are unique together, or alone without a type that can be `,unique`.
    mutating func groups(of table: SourceTable, _ names: [String: String], _ fields: [Field]) -> [[String]] {
        var groups: [[String]] = []
        for columns in [table.identity] + table.indexes.filter(\.isWhole).map({ $0.columns.compactMap(\.self) }) {
            let known = columns.compactMap { column in
                names[column].flatMap { name in fields.first { $0.name == name } }
            }
            guard known.count == columns.count else {
                note(table.name, columns.joined(separator: ", "), "is unique, with a column that is not adopted")
                continue
            }
            let group = known.map(\.name)
            if known.count == 1, known[0].isUnique || groups.contains(group) { continue }
            let isLarge = known.allSatisfy { [.bool, .bytes].contains($0.kind) || $0.choice != nil }
            // An example would not differ from another one.
            if isLarge {
                note(table.name, columns.joined(separator: ", "), "is unique")
            } else if !groups.contains(group) {
                groups.append(group)
            }
        }
        return groups
    }

    mutating func noteRules(of table: SourceTable, _ names: [String: String]) {
        for check in table.checks ?? [] {
            if let words = Checks.words(in: check),
                names.keys.contains(where: { $0.lowercased() == words.column.lowercased() })
            {
                continue
            }
            note(table.name, "", "CHECK (\(check.replacing(#/^CHECK /#, with: "")))")
        }
        for index in table.indexes {
            let columns = index.columns.map { $0 ?? "an expression" }.joined(separator: ", ")
            let kind = index.isUnique ? "unique index" : "index"
            if index.isPartial {
                note(table.name, columns, "the partial \(kind) \(index.name)")
            } else if index.columns.contains(nil) {
                note(table.name, columns, "the \(kind) \(index.name) of an expression")
            } else if index.isUnique, index.isFolded {
                note(table.name, columns, "is unique in any case; the field by its letters")
            } else if !index.isUnique {
                note(table.name, columns, "the index \(index.name): add .indexed to the mapping if queries need it")
            }
        }
    }
}
