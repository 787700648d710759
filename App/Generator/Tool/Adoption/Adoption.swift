/// The plan of an adoption: the tables that become entities or links, and remarks on the rest.
struct Adoption {
    let schema: SourceSchema
    /// In the order in which their rows are copied: a table after those to which it refers.
    var tables: [AdoptedTable] = []
    var links: [AdoptedLinks] = []
    /// The tables that are not adopted.
    var omitted: [AdoptionRemark] = []
    var remarks: [AdoptionRemark] = []
    /// The tables that become entities, by their names.
    var owned: [String: AdoptedTable] = [:]

    /// Plans the adoption of a schema.
    ///
    /// - Parameters:
    ///   - names: The tables; all without names.
    ///   - isTaken: Whether a type of an entity exists, other than as that of the same table.
    init(_ schema: SourceSchema, only names: [String] = [], isTaken: (String, _ table: String) -> Bool) throws {
        self.schema = schema
        if let unknown = names.first(where: { name in !schema.tables.contains { $0.name == name } }) {
            throw Refusal("no table '\(unknown)' in the database")
        }
        let chosen = schema.tables.filter { names.isEmpty || names.contains($0.name) }
        remarks = schema.others.sorted().map { AdoptionRemark($0, "is not a table with rows") }
        name(chosen, isTaken)
        findReferences()
        findLinks()
        makeOrder()
        for index in tables.indices { tables[index] = try fields(of: tables[index], isTaken) }
        for table in tables where table.entity == nil {
            omitted.append(.init(table.source.name, "has no column with a known type"))
        }
        tables.removeAll { $0.entity == nil }
        let order = schema.tables.map(\.name)
        func place(_ remark: AdoptionRemark) -> (Int, String, String) {
            (order.firstIndex(of: remark.table) ?? order.count, remark.table, remark.column + remark.reason)
        }
        remarks.sort { place($0) < place($1) }
    }

    mutating func note(_ table: String, _ column: String, _ reason: String) {
        remarks.append(AdoptionRemark(table, column, reason))
    }

    private mutating func name(_ chosen: [SourceTable], _ isTaken: (String, String) -> Bool) {
        var used: Set<String> = []
        for (place, table) in chosen.enumerated() {
            if let reason = Self.problem(of: table) {
                omitted.append(AdoptionRemark(table.name, reason))
                continue
            }
            let name = AdoptedNames.entity(table.name, place + 1) { name in
                guard let types = try? Entity(name, []).types else { return true }
                return !used.isDisjoint(with: types) || types.contains { isTaken($0, table.name) }
            }
            guard let name, let types = try? Entity(name, []).types else {
                omitted.append(AdoptionRemark(table.name, "its names are taken by the service or the kit"))
                continue
            }
            used.formUnion(types)
            owned[table.name] = AdoptedTable(source: table, name: name)
        }
    }

    /// Why a table cannot be adopted; `nil` if it can.
    private static func problem(of table: SourceTable) -> String? {
        if table.name.contains(where: { "`|\n\r\\".contains($0) }) {
            return "its name has a character that no list can have"
        }
        let key = table.identity
        if key.isEmpty { return "it has no key: no column identifies a row" }
        for name in key {
            guard let column = table.column(name) else { return "its key is an expression" }
            let type = AdoptedType(column, isSQLite: table.sql != nil)
            if !type.canBeKey { return "its key has \(column.type.isEmpty ? "no type" : "the type \(column.type)")" }
        }
        return nil
    }
}
