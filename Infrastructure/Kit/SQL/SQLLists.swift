package import LarderData
package import LarderDomain

/// The read of one list of some rows in the buffer.
package struct SQLListRead {
    /// Selects the list's rows. (id or list of ids of the owners)
    package let statement: SQLStatementText
    /// The plan of owned objects; `nil` for links.
    package let child: SQLTablePlan?
    let owners: Range<Int>
    /// The number of the list: the owned lists of a schema come first, then its links.
    let list: Int

    /// Copies the rows, after those of their owners.
    ///
    /// - Returns: The rows in the buffer.
    package func copy(_ rows: some RowSource, to buffer: inout RowBuffer) throws(PersistencyError) -> Range<Int> {
        // Owner's number, id, owner's id, position, columns; or owner's number, position, target.
        let (id, position) = child == nil ? (2, 1) : (1, 3)
        let first = buffer.count
        while try rows.advance() {
            unsafe buffer.append(
                try rows.lentID(id), rows.lentInteger(position), owner: owners.lowerBound + Int(rows.lentInteger(0)),
                lists: child?.listCount ?? 0, rows.cells(from: child == nil ? 3 : 4))
        }
        return buffer.endList(list, from: first)
    }
}

extension SQLTablePlan {
    /// The read of a list of some rows; `nil` if the content lacks it.
    package func list(_ list: Int, of owners: Range<Int>, _ content: ReadRequest.Content) -> SQLListRead? {
        let isOne = owners.count == 1
        guard list < children.count else {
            let link = links[list - children.count]
            return SQLListRead(statement: isOne ? link.readOne : link.read, child: nil, owners: owners, list: list)
        }
        let child = children[list]
        if content != .complete, child.schema.isDerived { return nil }
        return SQLListRead(
            statement: isOne ? child.readOwnedByOne : child.readOwned, child: child, owners: owners, list: list)
    }
}

extension SQLReading {
    /// Copies roots, without lists. Stops one root after a limit, of roots or bytes: the last root shows that there is
    /// another page.
    package func copyRoots(
        _ rows: Connection.Source, _ plan: SQLTablePlan, _ limit: Int? = nil, _ byteLimit: Int? = nil,
        to buffer: inout RowBuffer
    ) throws(PersistencyError) -> Range<Int> {
        let first = buffer.count
        var (last, bytes) = (limit ?? .max, byteLimit ?? .max)
        while buffer.count - first <= last, try rows.advance() {
            let root = buffer.count
            // Id, version, columns.
            unsafe buffer.append(try rows.lentID(0), rows.lentInteger(1), lists: plan.listCount, rows.cells(from: 2))
            if byteLimit != nil, let end = buffer.end(of: root..<root + 1, of: plan.schema, within: &bytes) {
                last = min(last, end - first)
            }
        }
        return first..<buffer.count
    }

    /// Copies the lists of a page's roots, in pieces if the page has a limit of bytes.
    ///
    /// - Parameter end: Statements after the last one, unless the limit is exceeded.
    /// - Returns: The roots up to the one that exceeds the limit.
    func copyLists(
        of roots: Range<Int>, _ plan: SQLTablePlan, _ request: ReadRequest, end: [Step]
    ) throws(PersistencyError) -> Range<Int> {
        guard var bytes = request.byteLimit, !roots.isEmpty else {
            try connection.copyLists(of: roots, plan, request.content, end: end)
            return roots
        }
        for first in stride(from: 0, to: roots.count, by: RowBuffer.pagePiece) {
            let piece = first..<min(first + RowBuffer.pagePiece, roots.count)
            try connection.copyLists(
                of: piece, plan, request.content, end: piece.upperBound == roots.count ? end : [])
            if let last = connection.rowBuffer.end(of: piece, of: plan.schema, within: &bytes) { return 0..<last }
        }
        return roots
    }
}

extension RowSource {
    /// A copy of a cell of the row, numbered from 0.
    package func lentValue(_ column: Int, _ type: ColumnType) -> Value { unsafe cells[column].value(of: type) }

    package func lentInteger(_ column: Int) -> Int64 { unsafe Int64(cell: cells[column]) ?? 0 }

    package func lentID(_ column: Int) throws(PersistencyError) -> RawID {
        guard let id = unsafe RawID(cell: cells[column]) else {
            throw .unavailable(Unavailable(.failed, "the database has a key that is not an id"))
        }
        return id
    }

    package func cells(from column: Int) -> UnsafeBufferPointer<Cell> {
        unsafe UnsafeBufferPointer(rebasing: cells[column...])
    }
}
