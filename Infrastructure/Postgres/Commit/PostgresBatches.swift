#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// The rows that one change set writes in each table, so that a statement writes many rows.
struct PostgresBatches {
    /// A list of values for each parameter of a statement.
    struct Lists {
        let kinds: [SQLKind]
        private(set) var rows: [[Value]] = []

        init(_ kinds: [SQLKind]) { self.kinds = kinds }

        mutating func append(_ row: [Value]) { rows.append(row) }

        /// The values to bind, in parts that the server can receive.
        var parts: [(rows: ArraySlice<[Value]>, values: [Value])] {
            var (parts, rest) = ([(rows: ArraySlice<[Value]>, values: [Value])](), rows[...])
            while !rest.isEmpty {
                var (count, bytes) = (0, 0)
                while count < min(rest.count, 5_000), bytes < 8 << 20 {
                    bytes += rest[rest.startIndex + count].reduce(0) { $0 + $1.byteCount }
                    count += 1
                }
                let part = rest.prefix(count)
                let values = kinds.enumerated().map { index, kind in
                    Value.blob(PostgresArray.bytes(part.map { $0[index] }, kind))
                }
                parts.append((part, values))
                rest = rest.dropFirst(count)
            }
            return parts
        }
    }

    var inserted: [String: Lists] = [:]
    var moved: [String: Lists] = [:]
    var deleted: [String: Lists] = [:]
    var touched: [String: Lists] = [:]
    var put: [String: Lists] = [:]
    var truncated: [String: Lists] = [:]
    /// Updates of single rows.
    var updates: [PostgresStep] = []

    /// An object and everything that it owns, at any depth.
    mutating func insert(_ object: StorageObject, _ place: [Value], _ table: SQLTablePlan) {
        inserted[table.schema.name, default: Lists(table.table.columnKinds)].append(
            [.id(object.id)] + place + object.values)
        if !object.schema.isFlat { insertOwned(by: object, table) }
    }

    mutating func insertOwned(by object: StorageObject, _ table: SQLTablePlan) {
        for (link, targets) in zip(table.links, object.links) {
            for (position, target) in targets.enumerated() { put(link, object.id, position, target) }
        }
        for (child, objects) in zip(table.children, object.children) {
            for (position, owned) in objects.enumerated() {
                insert(owned, Self.place(object.id, position, child), child)
            }
        }
    }

    private static func place(_ owner: RawID, _ position: Int, _ table: SQLTablePlan) -> [Value] {
        [.id(owner), .integer(table.schema.isDerived ? 0 : Int64(position))]
    }

    private mutating func put(_ link: SQLLinkPlan, _ owner: RawID, _ position: Int, _ target: RawID) {
        put[link.table.name, default: Lists([.id, .integer, .id])].append(
            [.id(owner), .integer(Int64(position)), .id(target)])
    }

    mutating func delete(_ id: RawID, of owner: RawID?, _ table: SQLTablePlan) {
        let owner = table.schema.isDerived ? owner : nil
        deleted[table.schema.name, default: Lists(owner == nil ? [.id] : [.id, .id])].append(
            [.id(id)] + (owner.map { [.id($0)] } ?? []))
    }

    /// The changes of links and owned objects, at any depth.
    mutating func change(_ changes: ObjectChanges, of id: RawID, _ table: SQLTablePlan) {
        for change in changes.links {
            let link = table.links[change.relationship]
            for place in change.places { put(link, id, place.position, place.id) }
            truncated[link.table.name, default: Lists([.id, .integer])].append([.id(id), .integer(Int64(change.count))])
        }
        for change in changes.children {
            let child = table.children[change.relationship]
            switch change.kind {
            case .delete: delete(change.id, of: id, child)
            case .insert(let object, let position): insert(object, Self.place(id, position, child), child)
            case .update(let position, let changes):
                if let position, !child.schema.isDerived {
                    moved[child.schema.name, default: Lists([.id, .integer])].append(
                        [.id(change.id), .integer(Int64(position))])
                }
                update(change.id, of: id, changes.columns, child)
                self.change(changes, of: change.id, child)
            }
        }
    }

    mutating func update(
        _ id: RawID, of owner: RawID?, _ columns: [ColumnChange], _ table: SQLTablePlan
    ) {
        if columns.isEmpty { return }
        let owner = table.schema.isDerived ? owner : nil
        updates.append(
            PostgresStep(
                SQLUpdate(plan: table, columns: columns.map(\.column)).text,
                [.id(id)] + (owner.map { [.id($0)] } ?? []) + columns.map(\.value)))
    }
}
#endif
