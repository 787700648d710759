extension Adoption {
    /// Sets references later where tables refer to each other, or to themselves, preferably such as may be null.
    mutating func makeOrder() {
        for name in owned.keys { postpone(in: name) { $0 == name } }
        var rest = schema.tables.map(\.name).filter { owned[$0] != nil }
        while !rest.isEmpty {
            let (waiting, owned) = (Set(rest), owned)
            if let ready = rest.firstIndex(where: { owned[$0]?.earlier.allSatisfy { !waiting.contains($0) } ?? true }) {
                let name = rest.remove(at: ready)
                if let table = owned[name] { tables.append(table) }
                continue
            }
            func cycle(_ name: String) -> (String) -> Bool { { Self.reaches(name, from: $0, in: waiting, owned) } }
            let isNullable = { (name: String) in
                owned[name]?.links.contains { !$0.isLater && cycle(name)($0.target) } ?? false
                    || owned[name]?.references.contains { !$0.isLater && $0.isNullable && cycle(name)($0.target) }
                        ?? false
            }
            let name =
                rest.first(where: isNullable)
                ?? rest.first { name in owned[name]?.earlier.contains(where: cycle(name)) ?? false } ?? rest[0]
            postpone(in: name, cycle(name))
        }
    }

    private static func reaches(
        _ target: String, from start: String, in waiting: Set<String>, _ owned: [String: AdoptedTable]
    ) -> Bool {
        var (seen, next) = (Set<String>(), [start])
        while let name = next.popLast() {
            if name == target { return true }
            if waiting.contains(name), seen.insert(name).inserted { next += owned[name]?.earlier ?? [] }
        }
        return false
    }

    /// Postpones the links and references to some tables: the optional ones, or all if none is optional.
    private mutating func postpone(in name: String, _ isTarget: (String) -> Bool) {
        guard var table = owned[name] else { return }
        let isSelf = isTarget(name)
        var found = table.links.indices.filter { isTarget(table.links[$0].target) && !table.links[$0].isLater }
        for index in found { table.links[index].isLater = true }
        let references = table.references.indices.filter {
            isTarget(table.references[$0].target) && !table.references[$0].isLater
        }
        let nullable = references.filter { table.references[$0].isNullable }
        if found.isEmpty || isSelf {
            found = isSelf || nullable.isEmpty ? references : nullable
        } else {
            found = nullable
        }
        for index in found {
            table.references[index].isLater = true
            guard !table.references[index].isNullable else { continue }
            table.references[index].isNullable = true
            note(
                name, table.references[index].columns.joined(separator: ", "),
                "NOT NULL: optional, because the tables refer to each other")
        }
        owned[name] = table
    }
}
