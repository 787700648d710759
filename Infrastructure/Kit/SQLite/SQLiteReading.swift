internal import LarderData
internal import LarderDomain

/// Reads storage objects on one connection. Statements depend on the types within an aggregate, not on its rows.
struct SQLiteReading {
    let connection: SQLiteConnection

    /// Lends the roots with these ids, each once. The key is unique, so there is no second row of one id to look for.
    func lend(_ ids: [RawID], _ plan: SQLTablePlan, to body: RowBody) throws(PersistencyError) {
        if ids.isEmpty { return }
        var objects: [StorageObject] = []
        try snapshot(isOne: plan.schema.isFlat) { () throws(PersistencyError) in
            let statement = try connection.statement(ids.count == 1 ? plan.readOne : plan.readMany)
            defer { statement.finish() }
            if ids.count == 1 {
                try statement.bind(ids[0], at: 1)
            } else {
                try statement.bind(.blob(RawID.packed(Set(ids))), at: 1)
            }
            if plan.schema.isFlat {
                var rows = Rows(statement, of: plan.schema, limit: ids.count)
                return try body(&rows)
            }
            objects = try roots(statement, plan)
            try fillOwned(&objects, plan)
        }
        if !objects.isEmpty { try Rows.lend(objects, to: body) }
    }

    /// Reads from one snapshot: in a transaction, unless one statement reads it all.
    func snapshot<Result>(
        isOne: Bool, _ body: () throws(PersistencyError) -> Result
    ) throws(PersistencyError) -> Result {
        if isOne || connection.isInTransaction { return try body() }
        try connection.begin()
        do throws(PersistencyError) {
            let result = try body()
            try connection.commit()
            return result
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// The roots that a statement finds, without what they own; ends its use.
    func roots(_ statement: SQLiteStatement, _ plan: SQLTablePlan) throws(PersistencyError) -> [StorageObject] {
        defer { statement.finish() }
        var objects: [StorageObject] = []
        while try statement.step() { objects.append(try root(statement, plan)) }
        return objects
    }

    /// The root in a statement's row.
    @inline(__always)
    func root(_ statement: SQLiteStatement, _ plan: SQLTablePlan) throws(PersistencyError) -> StorageObject {
        let id = try statement.requiredID(0)
        return statement.object(id, plan, version: statement.integer(1), from: 2)
    }

    /// Reads all that objects own, at any depth, and their links.
    func fillOwned(_ objects: inout [StorageObject], _ plan: SQLTablePlan) throws(PersistencyError) {
        guard !objects.isEmpty, !plan.schema.isFlat else { return }
        let isOne = objects.count == 1
        let owners: Value = isOne ? .id(objects[0].id) : .blob(RawID.packed(objects.lazy.map(\.id)))
        for (index, link) in plan.links.enumerated() {
            let statement = try connection.statement(isOne ? link.readOne : link.read)
            let list = try OwnedList(statement, owners, position: 1) { () throws(PersistencyError) in
                try statement.requiredID(2)
            }
            list.forEachInOrder { owner, target in objects[owner].links[index].append(target) }
        }
        for (index, child) in plan.children.enumerated() {
            let statement = try connection.statement(isOne ? child.readOwnedByOne : child.readOwned)
            // The owner's place, then the object: its id, its owner's, its position, its columns.
            var list = try OwnedList(statement, owners, position: 3) { () throws(PersistencyError) in
                statement.object(try statement.requiredID(1), child, version: 0, from: 4)
            }
            try fillOwned(&list.items, child)
            list.forEachInOrder { owner, object in objects[owner].children[index].append(object) }
        }
    }
}

/// The links or owned objects of one list of many owners.
private struct OwnedList<Item> {
    var items: [Item] = []
    private var places: [(owner: Int, position: Int64)] = []
    private var isSorted = true

    /// - Parameters:
    ///   - position: The column with the position; the first one has the owner's place.
    ///   - item: Reads the item in the statement's row.
    init(
        _ statement: SQLiteStatement, _ owners: Value, position: Int32, _ item: () throws(PersistencyError) -> Item
    ) throws(PersistencyError) {
        defer { statement.finish() }
        try statement.bind(owners, at: 1)
        while try statement.step() {
            let place = (owner: Int(statement.integer(0)), position: statement.integer(position))
            if let last = places.last, last > place { isSorted = false }
            places.append(place)
            items.append(try item())
        }
    }

    /// An index gives the order as a rule, but no rule of SQL promises it.
    func forEachInOrder(_ body: (_ owner: Int, Item) -> Void) {
        let order = isSorted ? Array(items.indices) : items.indices.sorted { places[$0] < places[$1] }
        for index in order { body(places[index].owner, items[index]) }
    }
}

extension SQLiteStatement {
    fileprivate func requiredID(_ column: Int32) throws(PersistencyError) -> RawID {
        guard let id = id(column) else {
            throw .unavailable(Unavailable(.failed, "the database has a key that is no id"))
        }
        return id
    }

    fileprivate func object(_ id: RawID, _ plan: SQLTablePlan, version: Int64, from first: Int32) -> StorageObject {
        let schema = plan.schema
        var values: [Value] = []
        values.reserveCapacity(plan.schema.columnTypes.count)
        var index = first
        for type in plan.schema.columnTypes {
            values.append(value(index, type))
            index += 1
        }
        return StorageObject(
            schema: schema, id: id, version: version, values: values,
            children: schema.children.isEmpty ? [] : Array(repeating: [], count: schema.children.count),
            links: schema.links.isEmpty ? [] : Array(repeating: [], count: schema.links.count))
    }
}
