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

        /// The statements, each with values in a size that the server can receive.
        ///
        /// - Parameter evaluate: Called with the rows of a statement and its result.
        func steps(
            _ statement: String,
            _ evaluate: @escaping (ArraySlice<[Value]>, PostgresResult) throws(PersistencyError) -> Void = { _, _ in }
        ) -> [PostgresStep] {
            var (steps, rest) = ([PostgresStep](), rows[...])
            while !rest.isEmpty {
                let part = rest.prefix(5_000, 8 << 20) { $0.reduce(0) { $0 + $1.byteCount } }
                let values = kinds.enumerated().map { index, kind in
                    Value.blob(PostgresArray.bytes(part.map { $0[index] }, kind))
                }
                steps.append(
                    PostgresStep(statement, values) { result throws(PersistencyError) in try evaluate(part, result) })
                rest = rest.dropFirst(part.count)
            }
            return steps
        }
    }

    /// The rows of each statement, by its number.
    private var lists: [Int: Lists] = [:]
    /// Updates of single rows.
    var updates: [PostgresStep] = []

    /// Adds a row that a statement writes, with values of some kinds.
    mutating func add(_ row: [Value], to statement: SQLStatementText, _ kinds: @autoclosure () -> [SQLKind]) {
        lists[statement.number, default: Lists(kinds())].append(row)
    }

    func rows(of statement: SQLStatementText) -> Lists { lists[statement.number] ?? Lists([]) }

    func steps(_ statement: SQLStatementText) -> [PostgresStep] { rows(of: statement).steps(statement.text) }

    /// An object and everything that it owns, at any depth.
    mutating func insert(_ object: StorageObject, _ place: [Value], _ table: SQLTablePlan) {
        add([.id(object.id)] + place + object.values, to: table.insert, table.table.columnKinds)
        if !object.schema.isFlat { insertOwned(by: object, table) }
    }

    mutating func insertOwned(by object: StorageObject, _ table: SQLTablePlan) {
        for (link, targets) in zip(table.links, object.links) {
            for (position, target) in targets.enumerated() { put(link, object.id, position, target) }
        }
        for (child, objects) in zip(table.children, object.children) {
            for (position, owned) in objects.enumerated() {
                insert(owned, [.id(object.id), .integer(Int64(position))], child)
            }
        }
    }

    private mutating func put(_ link: SQLLinkPlan, _ owner: RawID, _ position: Int, _ target: RawID) {
        add([.id(owner), .integer(Int64(position)), .id(target)], to: link.put, [.id, .integer, .id])
    }

    mutating func delete(_ id: RawID, _ table: SQLTablePlan) { add([.id(id)], to: table.delete, [.id]) }

    /// The changes of links and owned objects, at any depth.
    mutating func change(_ changes: ObjectChanges, of id: RawID, _ table: SQLTablePlan) {
        for change in changes.links {
            let link = table.links[change.relationship]
            for place in change.places { put(link, id, place.position, place.id) }
            add([.id(id), .integer(Int64(change.count))], to: link.truncate, [.id, .integer])
        }
        for change in changes.children {
            let child = table.children[change.relationship]
            switch change.kind {
            case .delete: delete(change.id, child)
            case .insert(let object, let position): insert(object, [.id(id), .integer(Int64(position))], child)
            case .update(let position, let changes):
                if let position {
                    add([.id(change.id), .integer(Int64(position))], to: child.move, [.id, .integer])
                }
                update(change.id, changes.columns, child)
                self.change(changes, of: change.id, child)
            }
        }
    }

    private mutating func update(_ id: RawID, _ columns: [ColumnChange], _ table: SQLTablePlan) {
        if columns.isEmpty { return }
        updates.append(
            PostgresStep(
                SQLUpdate(plan: table, columns: columns.map(\.column)).text,
                [.id(id)] + columns.map(\.value)))
    }
}
#endif
