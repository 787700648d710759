extension Adoption {
    mutating func findReferences() {
        for (name, table) in owned {
            for reference in table.source.references {
                let columns = reference.columns.joined(separator: ", ")
                guard let target = schema.table(reference.table), owned[target.name] != nil else {
                    note(name, columns, "refers to \(reference.table), which is not adopted: plain values")
                    continue
                }
                let targets = reference.targets.isEmpty ? target.identity : reference.targets
                let pairs = Dictionary(zip(targets.map { $0.lowercased() }, reference.columns)) { first, _ in first }
                let ordered = target.identity.compactMap { pairs[$0.lowercased()] }
                guard ordered.count == target.identity.count, targets.count == ordered.count else {
                    note(name, columns, "refers to columns of \(target.name) that are not its key: plain values")
                    continue
                }
                let isNullable = ordered.contains { table.source.column($0)?.isNullable ?? true }
                owned[name]?.references.append(
                    AdoptedReference(source: reference, target: target.name, columns: ordered, isNullable: isNullable))
            }
        }
    }

    /// A joined table has two references, no other column, and a key over both.
    mutating func findLinks() {
        let targets = Set(owned.values.flatMap(\.references).map(\.target))
        for (name, table) in owned where !targets.contains(name) && table.references.count == 2 {
            let order = table.source.columns.map(\.name)
            let references = table.references.sorted {
                (order.firstIndex(of: $0.columns[0]) ?? 0) < (order.firstIndex(of: $1.columns[0]) ?? 0)
            }
            let columns = references.flatMap(\.columns)
            guard columns.count == order.count, Set(columns) == Set(order), Set(table.source.identity) == Set(order)
            else {
                continue
            }
            links.append(
                AdoptedLinks(
                    table: table.source, owner: references[0].target, target: references[1].target,
                    ownerColumns: references[0].columns, targetColumns: references[1].columns))
            for reference in references where reference.source.onDelete != "CASCADE" {
                note(
                    name, reference.columns.joined(separator: ", "),
                    "ON DELETE \(reference.source.onDelete): a link is removed")
            }
        }
        links.sort { $0.table.name < $1.table.name }
        for link in links {
            owned[link.table.name] = nil
            owned[link.owner]?.links.append(link)
        }
    }
}
