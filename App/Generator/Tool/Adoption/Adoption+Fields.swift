extension Adoption {
    /// The table with its entity; without one if no column has a known type.
    mutating func fields(of table: AdoptedTable, _ isTaken: (String, _ table: String) -> Bool) throws -> AdoptedTable {
        var (table, used, texts) = (table, Set<String>(), [String]())
        var names: [String: String] = [:]
        let source = table.source
        let singles = uniqueColumns(of: source)
        for (place, column) in source.columns.enumerated() {
            if column.isGenerated {
                note(source.name, column.name, "is generated")
            } else if let index = table.references.firstIndex(where: {
                $0.columns == [column.name] && $0.field.isEmpty
            }) {
                let name = AdoptedNames.field(column.name, place + 1, isReference: true, &used)
                names[column.name] = name
                table.references[index].field = name
                texts.append(try reference(&table, index, isUnique: singles.contains(column.name)))
            } else if let kind = kind(of: column, in: source) {
                let name = AdoptedNames.field(column.name, place + 1, isReference: false, &used)
                names[column.name] = name
                let isUnique = singles.contains(column.name) && kind.canBeUnique
                guard let text = field(name, of: column, kind, isUnique: isUnique, in: table, isTaken) else { continue }
                texts.append(text)
                let stored = EntityName.words(name).joined(separator: "_")
                table.origins.append(.init(column: stored, columns: [column.name]))
            }
        }
        texts += try wideReferences(of: &table, &used)
        texts += linkFields(of: &table, &used)
        noteRules(of: source, names)
        guard !texts.isEmpty else { return table }
        let fields = try Field.list(texts.joined(separator: " "), of: table.name.type)
        let uniques = groups(of: source, names, fields)
        table.entity = try Entity(table.name, fields, from: source.name, uniques: uniques)
        return table
    }

    /// The type of a column's field; `nil` with a remark if there is none.
    private mutating func kind(of column: SourceColumn, in source: SourceTable) -> AdoptedType? {
        let kind = AdoptedType(column, isSQLite: source.sql != nil)
        switch kind {
        case .field: break
        case .text(let type): note(source.name, column.name, "\(type): kept as a text")
        case .unsupported(let reason):
            note(source.name, column.name, "has \(reason)")
            return nil
        }
        return kind
    }

    /// The field of a column, as `make entity` writes it: the first valid one of an enum or plain type, with or without a
    /// default; `nil` with a remark if there is none.
    private mutating func field(
        _ name: String, of column: SourceColumn, _ kind: AdoptedType, isUnique: Bool, in table: AdoptedTable,
        _ isTaken: (String, _ table: String) -> Bool
    ) -> String? {
        let (source, type, plain) = (table.source, table.name.type, kind.name ?? "")
        let words = (source.checks ?? []).lazy.compactMap { Checks.words(in: $0) }.first {
            $0.column.lowercased() == column.name.lowercased()
        }
        let cases = plain == "String" ? column.cases ?? words?.words : nil
        // New entities have no number of the former database.
        let isNumber = source.key == [column.name] && plain == "Int"
        let (start, end) = ("\(name):", isUnique ? ",unique" : "")
        let optional = column.isNullable || isNumber ? "?" : ""
        var forms = [start + plain + optional + end]
        if let cases, !isTaken(type + name.capitalizedFirst, source.name) {
            forms.insert("\(start)enum(\(cases.joined(separator: ",")))\(optional)", at: 0)
        }
        let initial = column.initial.flatMap { $0.uppercased() == "NULL" || $0.hasPrefix("nextval(") ? nil : $0 }
        if let value = initial.flatMap({ kind.initial($0) }), optional.isEmpty, !isUnique {
            forms = forms.map { "\($0)=\(value)" } + forms
        }
        guard let text = forms.first(where: { (try? Field.list($0, of: type)) != nil }) else {
            note(source.name, column.name, "has no field: \(forms.last ?? "")")
            return nil
        }
        if let initial, !text.contains("=") { note(source.name, column.name, "DEFAULT \(initial)") }
        if cases != nil, !text.contains(":enum(") {
            note(source.name, column.name, "its words are no cases of an enum")
        }
        return text
    }

    /// The fields of the references that have several columns; others are a second one of their column.
    private mutating func wideReferences(of table: inout AdoptedTable, _ used: inout Set<String>) throws -> [String] {
        var texts: [String] = []
        for index in table.references.indices where table.references[index].field.isEmpty {
            let reference = table.references[index]
            guard reference.columns.count > 1 else {
                note(table.source.name, reference.columns[0], "a second reference, to \(reference.target)")
                continue
            }
            let target = owned(reference.target)
            table.references[index].field = AdoptedNames.field(target, 0, isReference: true, &used)
            texts.append(try self.reference(&table, index, isUnique: false))
        }
        table.references.removeAll(where: \.field.isEmpty)
        return texts
    }

    /// The fields of the links, whose origins are added to the table.
    private func linkFields(of table: inout AdoptedTable, _ used: inout Set<String>) -> [String] {
        table.links.indices.map { index in
            let link = table.links[index]
            let isPlain = link.owner != link.target && table.links.filter { $0.target == link.target }.count == 1
            let name = isPlain ? owned(link.target, isPlural: true) : link.table.name
            table.links[index].field = AdoptedNames.field(name, 0, isReference: false, &used)
            table.origins.append(
                .init(
                    column: table.links[index].column, columns: link.ownerColumns, target: link.target,
                    joined: (link.table.name, link.targetColumns)))
            return "\(table.links[index].field):many(\(owned(link.target)))"
        }
    }

    private func owned(_ table: String, isPlural: Bool = false) -> String {
        let name = tables.first { $0.source.name == table }?.name
        return (isPlural ? name?.plural : name?.type) ?? table
    }

    /// The field of a reference, whose origin is added to the table.
    private mutating func reference(_ table: inout AdoptedTable, _ index: Int, isUnique: Bool) throws -> String {
        let reference = table.references[index]
        let source = reference.source
        let columns = reference.columns.joined(separator: ", ")
        if source.onDelete == "SET DEFAULT" || source.onDelete == "SET NULL" && !reference.isNullable {
            note(table.source.name, columns, "ON DELETE \(source.onDelete): deleting the other entity is refused")
        }
        if source.onUpdate.hasPrefix("SET ") { note(table.source.name, columns, "ON UPDATE \(source.onUpdate)") }
        table.origins.append(
            .init(column: reference.column + "_id", columns: reference.columns, target: reference.target))
        let isSelf = reference.target == table.source.name
        let words = [owned(reference.target), reference.rule, reference.isLater && !isSelf ? "later" : nil].compactMap(
            \.self)
        return "\(reference.field):ref(\(words.joined(separator: ",")))" + (reference.isNullable ? "?" : "")
            + (isUnique ? ",unique" : "")
    }
}
