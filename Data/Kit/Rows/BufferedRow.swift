public import LarderDomain

/// A row in a ``RowBuffer``, or a link, which has the id of its target.
@usableFromInline @safe struct BufferedRow {
    @usableFromInline let id: RawID
    /// The version of a root; the position of any other row or link.
    @usableFromInline let number: Int64
    let owner: Int
    @usableFromInline let cells: UnsafePointer<Cell>
    @usableFromInline let firstList: Int
}

@usableFromInline struct BufferedTables {
    @usableFromInline var rows: [BufferedRow] = []
    /// The contiguous rows of each list.
    @usableFromInline var lists: [Range<Int>] = []

    /// Sorts if necessary: an index usually provides the order, but SQL does not guarantee it.
    mutating func put(from first: Int, in list: Int) {
        func precedes(_ a: BufferedRow, _ b: BufferedRow) -> Bool { (a.owner, a.number) < (b.owner, b.number) }
        let isSorted = rows.indices.dropFirst(first + 1).allSatisfy { !precedes(rows[$0], rows[$0 - 1]) }
        if !isSorted { rows[first...].sort(by: precedes) }
        var start = first
        while start < rows.count {
            let owner = rows[start].owner
            let end = rows[start...].firstIndex { $0.owner != owner } ?? rows.count
            lists[rows[owner].firstList + list] = start..<end
            start = end
        }
    }
}

/// A row that a store lends: its cells and, if the store has copied an aggregate, its owned rows.
@usableFromInline @safe struct LentRow {
    @usableFromInline var id: RawID
    @usableFromInline let cells: UnsafePointer<Cell>
    @usableFromInline let columnCount: Int
    /// `nil` for a row that is read in place, which is flat.
    @usableFromInline let tables: UnsafePointer<BufferedTables>?
    @usableFromInline let firstList: Int

    /// The numbers of the rows of a list: the schema's owned lists come first, then its links.
    @inlinable func list(_ number: Int) -> Range<Int> {
        unsafe tables.map { unsafe $0.pointee.lists[firstList + number] } ?? 0..<0
    }

    /// A row of a list, by number.
    @inlinable func owned(_ number: Int, columnCount: Int) -> LentRow {
        guard let tables = unsafe tables else { return self }
        let row = unsafe tables.pointee.rows[number]
        return unsafe LentRow(row, columnCount, tables)
    }
}

extension LentRow {
    @inlinable init(_ row: BufferedRow, _ columnCount: Int, _ tables: UnsafePointer<BufferedTables>) {
        unsafe (id, cells, self.columnCount, self.tables) = (row.id, row.cells, columnCount, tables)
        firstList = row.firstList
    }

    /// The estimated size in memory of a copy with everything that the row owns, in bytes; see
    /// ``StorageObject/memoryByteCount``.
    ///
    /// - Complexity: O(*n*) for *n* values, independent of their lengths.
    func byteCount(_ schema: EntitySchema) -> Int {
        var count = 64 * (1 + columnCount)
        for index in 0..<columnCount { unsafe count += cells[index].byteCount }
        guard unsafe tables != nil else { return count }
        for (index, child) in schema.children.enumerated() {
            let columns = child.schema.columnTypes.count
            for number in list(index) { count += owned(number, columnCount: columns).byteCount(child.schema) }
        }
        for index in schema.links.indices { count += 64 * list(schema.children.count + index).count }
        return count
    }

    /// A copy with everything that the row owns.
    func storageObject(_ schema: EntitySchema, version: Int64 = 0) -> StorageObject {
        StorageObject(
            schema: schema, id: id, version: version,
            values: (0..<columnCount).map { unsafe cells[$0].value(of: schema.columnTypes[$0]) },
            children: schema.children.enumerated().map { index, relationship in
                let child = relationship.schema
                return list(index).map { owned($0, columnCount: child.columnTypes.count).storageObject(child) }
            },
            links: schema.links.indices.map { index in
                list(schema.children.count + index).map { owned($0, columnCount: 0).id }
            })
    }
}
