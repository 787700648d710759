public import LarderDomain

/// A buffer of aggregates that a store copies from several statements and lends as ``Rows``: cells, not objects.
///
/// A store appends the roots, then, list by list, the links and owned rows of all roots, then those of the owned rows.
/// The buffer keeps memory for the next read: up to 4,096 rows and lists, and a block of 16 KiB.
@safe public struct RowBuffer: ~Copyable {
    private let tables = UnsafeMutablePointer<BufferedTables>.allocate(capacity: 1)
    /// The memory of cells, texts and blobs; free bytes are in the last block.
    private var blocks = unsafe [UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)]
    private var usedBytes = 0

    /// Creates an empty buffer.
    public init() { unsafe tables.initialize(to: BufferedTables()) }

    deinit {
        unsafe tables.deinitialize(count: 1)
        unsafe tables.deallocate()
        unsafe blocks.forEach { unsafe $0.deallocate() }
    }

    /// The number of rows and links.
    public var count: Int { unsafe tables.pointee.rows.count }

    /// The id of a row.
    public func id(_ row: Int) -> RawID { unsafe tables.pointee.rows[row].id }

    /// Appends a row, or a link, which has the id of its target and no cells.
    ///
    /// - Parameters:
    ///   - id: The id.
    ///   - number: The version of a root; the position of any other row or link in its list.
    ///   - owner: The number of the row that owns it.
    ///   - lists: The number of its lists: the owned lists of its schema, then its links.
    ///   - cells: One for each column of its schema. The bytes of texts and blobs are copied.
    /// - Complexity: O(*n*) for *n* bytes.
    public mutating func append(
        _ id: RawID, _ number: Int64, owner: Int = 0, lists: Int = 0, _ cells: UnsafeBufferPointer<Cell>
    ) {
        let cellBytes = MemoryLayout<Cell>.stride * cells.count
        var free = unsafe allocate(cells.reduce(cellBytes) { $0 + $1.byteCount })
        let copies = unsafe free.bindMemory(to: Cell.self, capacity: cells.count)
        unsafe free += cellBytes
        func copied(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
            defer { unsafe free += bytes.count }
            if let source = bytes.baseAddress { unsafe free.copyMemory(from: source, byteCount: bytes.count) }
            return unsafe UnsafeRawBufferPointer(start: free, count: bytes.count)
        }
        for index in 0..<cells.count {
            switch unsafe cells[index] {
            case .text(let text): unsafe (copies + index).initialize(to: .text(copied(text)))
            case .blob(let blob): unsafe (copies + index).initialize(to: .blob(copied(blob)))
            case let other: unsafe (copies + index).initialize(to: other)
            }
        }
        unsafe tables.pointee.rows.append(
            BufferedRow(id: id, number: number, owner: owner, cells: copies, firstList: tables.pointee.lists.count))
        for _ in 0..<lists { unsafe tables.pointee.lists.append(0..<0) }
    }

    /// Memory for cells, at a constant address.
    private mutating func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
        let block = unsafe blocks[blocks.count - 1]
        if usedBytes + byteCount <= block.count, let start = block.baseAddress {
            defer { usedBytes = (usedBytes + byteCount + 7) & ~7 }
            return unsafe start + usedBytes
        }
        let size = max(byteCount, min(2 * block.count, 1 << 20))
        unsafe blocks.append(.allocate(byteCount: size, alignment: 16))
        usedBytes = 0
        return unsafe allocate(byteCount)
    }

    /// Removes all rows, and invalidates every lent row.
    public mutating func removeAll() {
        unsafe tables.pointee.rows.removeAll(keepingCapacity: count <= 4096)
        unsafe tables.pointee.lists.removeAll(keepingCapacity: tables.pointee.lists.count <= 4096)
        usedBytes = 0
        while unsafe blocks.count > 1 { unsafe blocks.removeLast().deallocate() }
    }

    /// Assigns the rows or links from a number on to a list of their owners, ordered by position.
    ///
    /// - Returns: The rows.
    public mutating func endList(_ list: Int, from first: Int) -> Range<Int> {
        unsafe tables.pointee.put(from: first, in: list)
        return first..<count
    }

    /// The number of roots that a store completes with their lists at a time for a page with a limit of bytes: it copies
    /// at most as many beyond the limit.
    public static var pagePiece: Int { 16 }

    /// The number of the root after the one that exceeds a limit of bytes; `nil` if none does.
    ///
    /// - Parameters:
    ///   - roots: Rows of the schema.
    ///   - schema: The schema of the roots.
    ///   - bytes: The rest of the limit. Decreases by the size of each root.
    public func end(of roots: Range<Int>, of schema: EntitySchema, within bytes: inout Int) -> Int? {
        for root in roots {
            let row = unsafe LentRow(tables.pointee.rows[root], schema.columnTypes.count, UnsafePointer(tables))
            bytes -= row.byteCount(schema)
            if bytes < 0 { return root + 1 }
        }
        return nil
    }

    /// Lends roots with everything that they own.
    ///
    /// - Parameters:
    ///   - roots: Rows of the schema.
    ///   - schema: The schema of the roots.
    ///   - body: Receives them in one call.
    public func lend(_ roots: Range<Int>, of schema: EntitySchema, to body: RowVisitor) throws(PersistencyError) {
        var rows = unsafe Rows(roots, in: tables, of: schema)
        try body(&rows)
    }

    /// Copies of roots with everything that they own.
    public func storageObjects(
        _ roots: Range<Int>, of schema: EntitySchema
    ) throws(PersistencyError) -> [StorageObject] {
        var rows = unsafe Rows(roots, in: tables, of: schema)
        var objects: [StorageObject] = []
        while try rows.next() { objects.append(try rows.storageObject()) }
        return objects
    }
}
