#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// Reads rows on one connection. The number of statements depends on the types in an aggregate, not on its rows, and the
/// number of round trips on the depth of its lists.
struct PostgresReading {
    /// Rows whose lists are read next.
    typealias Level = [(owners: Range<Int>, plan: PostgresTable)]

    let connection: PostgresConnection

    /// Lends the roots with these ids, each once.
    func lend(_ ids: [RawID], _ plan: PostgresTable, to body: RowVisitor) throws(PersistencyError) {
        if ids.isEmpty { return }
        defer { connection.rowBuffer.removeAll() }
        if ids.count == 1, plan.isShallow {
            let read = PostgresPointRead(ids[0], of: plan, self)
            try connection.run(read.steps)
            return try read.lend(to: body)
        }
        let values = [Value.blob(PostgresArray.bytes(Set(ids)))]
        if plan.schema.isFlat {
            var rows = Rows(try connection.run(plan.readMany, values), of: plan.schema, limit: nil)
            return try body(&rows)
        }
        let roots = try copy(plan.readMany, values, plan, content: .rows)
        if !roots.isEmpty { try connection.rowBuffer.lend(roots, of: plan.schema, to: body) }
    }

    /// Up to a number of objects of any schema after an id, with everything that they own, within the running transaction.
    /// An owned object has its position as version.
    func batch(
        after id: RawID?, of plan: PostgresTable, limit: Int
    ) throws(PersistencyError) -> [StorageObject] {
        defer { connection.rowBuffer.removeAll() }
        let columns = ["id", plan.table.owner == nil ? "version" : "position"] + plan.schema.columns.map(\.name)
        let text =
            "SELECT \(columns.map { "t0." + SQLText.quoted($0) }.joined(separator: ", ")) FROM "
            + "\(SQLText.quoted(plan.table.name)) AS t0 WHERE $1::uuid IS NULL OR t0.\"id\" > $1::uuid "
            + "ORDER BY t0.\"id\" LIMIT \(limit)"
        let roots = try append(connection.run(text, [id.map(Value.id) ?? .null]), plan)
        if !roots.isEmpty { try copyLists(of: [(roots, plan)], .complete) }
        return try connection.rowBuffer.storageObjects(roots, of: plan.schema)
    }

    /// Passes all objects of a schema to a body, in batches, in ascending order of ids.
    func forEachBatch(
        _ table: PostgresTable, _ body: ([StorageObject]) throws(PersistencyError) -> Void
    ) throws(PersistencyError) {
        let size = table.withDescendants.contains(where: \.schema.hasBlobs) ? 4 : 256
        var last: RawID?
        while true {
            let objects = try batch(after: last, of: table, limit: size)
            if !objects.isEmpty { try body(objects) }
            guard let end = objects.last, objects.count == size else { return }
            last = end.id
        }
    }

    /// Copies roots with owned objects and links to the connection's buffer, from one snapshot.
    private func copy(
        _ text: String, _ values: [Value], _ plan: PostgresTable, content: ReadRequest.Content
    ) throws(PersistencyError) -> Range<Int> {
        let roots = Box(0..<0)
        let step = PostgresStep(text, values) { (result) throws(PersistencyError) in
            roots.value = try append(result, plan)
        }
        try snapshot { () throws(PersistencyError) in
            try connection.run([Self.begin, step])
            try copyLists(of: [(roots.value, plan)], content, end: Self.commit)
        }
        return roots.value
    }

    static var begin: PostgresStep { PostgresStep("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") }
    static var commit: PostgresStep { PostgresStep("COMMIT") }

    /// Runs statements that begin and end a transaction.
    func snapshot(_ body: () throws(PersistencyError) -> Void) throws(PersistencyError) {
        do throws(PersistencyError) { try body() } catch {
            if connection.isInTransaction { _ = try? connection.execute("ROLLBACK") }
            throw error
        }
    }

    /// Copies roots to the buffer.
    func append(_ result: PostgresResult, _ plan: PostgresTable) throws(PersistencyError) -> Range<Int> {
        let first = connection.rowBuffer.count
        while result.advance() { try appendRoot(of: result, plan) }
        return first..<connection.rowBuffer.count
    }

    /// Copies roots to the empty buffer, each to the row with the index of its id, so that rows of lists can name it.
    ///
    /// - Parameter ids: In ascending order, as the roots are.
    /// - Returns: The rows of the roots.
    func append(
        _ result: PostgresResult, _ plan: PostgresTable, at ids: [RawID]
    ) throws(PersistencyError) -> [RawID: Int] {
        var rows: [RawID: Int] = [:]
        while result.advance() {
            let id = try result.id(0)
            for absent in ids.dropFirst(connection.rowBuffer.count).prefix(while: { $0 != id }) {
                let none = unsafe UnsafeBufferPointer<Cell>(start: nil, count: 0)
                unsafe connection.rowBuffer.append(absent, 0, lists: plan.listCount, none)
            }
            rows[id] = connection.rowBuffer.count
            try appendRoot(of: result, plan)
        }
        return rows
    }

    private func appendRoot(of result: PostgresResult, _ plan: PostgresTable) throws(PersistencyError) {
        // Id, version, columns.
        unsafe connection.rowBuffer.append(
            try result.id(0), result.integer(1), lists: plan.listCount,
            UnsafeBufferPointer(rebasing: result.cells[2..<2 + plan.schema.columns.count]))
    }

    /// Copies the owned objects of rows, at any depth, and all links: one round trip for each level.
    ///
    /// - Parameter end: A statement after the last one.
    func copyLists(
        of roots: Level, _ content: ReadRequest.Content, end: PostgresStep? = nil
    ) throws(PersistencyError) {
        var level = roots
        var isLast = false
        while !isLast {
            let next = Box<Level>([])
            var steps: [PostgresStep] = []
            for (owners, plan) in level where !owners.isEmpty {
                steps += lists(of: owners, owners.map { connection.rowBuffer.id($0) }, plan, content, next)
            }
            isLast = level.allSatisfy { owners, plan in owners.isEmpty || plan.isShallow }
            if isLast, let end { steps.append(end) }
            try connection.run(steps)
            level = next.value
        }
    }

    /// The statements that read the lists of rows with these ids.
    func lists(
        of owners: Range<Int>, _ ids: [RawID], _ plan: PostgresTable, _ content: ReadRequest.Content,
        _ next: Box<Level>
    ) -> [PostgresStep] {
        let isOne = owners.count == 1
        let ids: Value = isOne ? .id(ids[0]) : .blob(PostgresArray.bytes(ids))
        let links = plan.links.enumerated().map { index, link in
            // Owner's number, position, target.
            PostgresStep(isOne ? link.readOne : link.read, [ids]) { (result) throws(PersistencyError) in
                _ = try copy(result, (0, 1, 2), owners, list: plan.children.count + index)
            }
        }
        let children = plan.children.enumerated().filter { content == .complete || !$1.schema.isDerived }
        return links
            + children.map { index, child in
                // Owner's number, id, owner's id, position, columns.
                PostgresStep(isOne ? child.readOwnedByOne : child.readOwned, [ids]) {
                    (result) throws(PersistencyError) in
                    let rows = try copy(result, (0, 3, 1), owners, list: index, lists: child.listCount)
                    if !rows.isEmpty, !child.schema.isFlat { next.value.append((rows, child)) }
                }
            }
    }

    /// Copies one list of each owner.
    ///
    /// - Parameter columns: The indexes of the owner's number, the position and the id; cells follow the last of these.
    private func copy(
        _ result: PostgresResult, _ columns: (owner: Int, position: Int, id: Int), _ owners: Range<Int>, list: Int,
        lists: Int = 0
    ) throws(PersistencyError) -> Range<Int> {
        let first = connection.rowBuffer.count
        while result.advance() {
            let cells = unsafe result.cells[(max(columns.position, columns.id) + 1)...]
            unsafe connection.rowBuffer.append(
                try result.id(columns.id), result.integer(columns.position),
                owner: owners.lowerBound + Int(result.integer(columns.owner)), lists: lists,
                UnsafeBufferPointer(rebasing: cells))
        }
        return connection.rowBuffer.endList(list, from: first)
    }
}
#endif
