extension Adoption {
    /// The table with its entity; without one if no column has a known type.
    mutating func fields(of table: AdoptedTable, _ isTaken: (String, _ table: String) -> Bool) throws -> AdoptedTable {
        var (table, used, texts) = (table, Set<String>(), [String]())
        let (source, type) = (table.source, table.name.type)
        var names: [String: String] = [:]
        let words = Dictionary(
            (source.checks ?? []).compactMap { Checks.words(in: $0) }.map { ($0.column.lowercased(), $0.words) }
        ) { $1 }
        let singles = uniqueColumns(of: source)
        for (place, column) in source.columns.enumerated() {
            if column.isGenerated {
                note(source.name, column.name, "is generated")
                continue
            }
            if let index = table.references.firstIndex(where: { $0.columns == [column.name] && $0.field.isEmpty }) {
                let name = AdoptedNames.field(column.name, place + 1, isReference: true, &used)
                names[column.name] = name
                table.references[index].field = name
                texts.append(try reference(&table, index, isUnique: singles.contains(column.name)))
                continue
            }
            let kind = AdoptedType(column, isSQLite: source.sql != nil)
            if case .text(let what) = kind { note(source.name, column.name, "\(what): kept as a text") }
            guard let plain = kind.name else {
                if case .unsupported(let reason) = kind { note(source.name, column.name, "has \(reason)") }
                continue
            }
            let name = AdoptedNames.field(column.name, place + 1, isReference: false, &used)
            names[column.name] = name
            let cases = plain == "String" ? column.cases ?? words[column.name.lowercased()] : nil
            let isUnique = singles.contains(column.name) && kind.canBeUnique
            // New entities have no number of the former database.
            let isNumber = source.key == [column.name] && plain == "Int"
            let start = "\(name):"
            let end = isUnique ? ",unique" : ""
            let optional = column.isNullable || isNumber ? "?" : ""
            var forms = [start + plain + optional + end]
            if let cases, !isTaken(type + name.capitalizedFirst, source.name) {
                forms.insert("\(start)enum(\(cases.joined(separator: ",")))\(optional)", at: 0)
            }
            var isDefaultKept = false
            if let expression = column.initial, expression.uppercased() != "NULL", !expression.hasPrefix("nextval(") {
                if let initial = kind.initial(expression), optional.isEmpty, !isUnique {
                    forms = forms.map { "\($0)=\(initial)" } + forms
                }
                isDefaultKept = true
            }
            guard let text = forms.first(where: { (try? Field.list($0, of: type)) != nil }) else {
                note(source.name, column.name, "has no field: \(forms.last ?? "")")
                continue
            }
            if isDefaultKept, !text.contains("=") { note(source.name, column.name, "DEFAULT \(column.initial ?? "")") }
            if cases != nil, !text.contains(":enum(") {
                note(source.name, column.name, "its words are no cases of an enum")
            }
            texts.append(text)
            table.origins.append(.init(column: EntityName.words(name).joined(separator: "_"), columns: [column.name]))
        }
        for index in table.references.indices where table.references[index].field.isEmpty {
            let reference = table.references[index]
            guard reference.columns.count > 1 else {
                note(source.name, reference.columns[0], "a second reference, to \(reference.target)")
                continue
            }
            let target = owned(reference.target)
            table.references[index].field = AdoptedNames.field(target, 0, isReference: true, &used)
            texts.append(try self.reference(&table, index, isUnique: false))
        }
        table.references.removeAll(where: \.field.isEmpty)
        for index in table.links.indices {
            let link = table.links[index]
            let isPlain = link.owner != link.target && table.links.filter { $0.target == link.target }.count == 1
            let name = isPlain ? owned(link.target, isPlural: true) : link.table.name
            table.links[index].field = AdoptedNames.field(name, 0, isReference: false, &used)
            texts.append("\(table.links[index].field):many(\(owned(link.target)))")
            table.origins.append(
                .init(
                    column: table.links[index].column, columns: link.ownerColumns, target: link.target,
                    joined: (link.table.name, link.targetColumns)))
        }
        noteRules(of: source, names)
        guard !texts.isEmpty else { return table }
        let fields = try Field.list(texts.joined(separator: " "), of: type)
        let uniques = groups(of: source, names, fields)
        table.entity = try Entity(table.name, fields, from: source.name, uniques: uniques)
        return table
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
