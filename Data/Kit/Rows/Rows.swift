public import LarderDomain

/// The body of a read: receives the rows in order, in one or more consecutive calls.
public typealias RowBody = @Sendable (inout Rows) throws(PersistencyError) -> Void

/// The body of a read that calls it before it returns.
public typealias RowVisitor = (inout Rows) throws(PersistencyError) -> Void

/// Rows that a store lends to the body of a read: a cursor over a statement or over storage objects.
///
/// ```swift
/// try await store.withRows(request) { rows throws(PersistencyError) in
///     while try rows.next() { use(rows.id, rows.version) }
/// }
/// ```
///
/// A row is valid until the next one is read, and the rows are valid until the body returns. The compiler enforces it:
/// rows are not copyable and not `Sendable`, the body receives them as `inout`, and only they create readers of a row.
/// The body is synchronous, so the rows are confined to the thread on which the store calls it.
@safe public struct Rows: ~Copyable {
    private let source: (any RowSource)?
    /// Rows of aggregates that the store has copied, and the number of the next one.
    private let tables: UnsafePointer<BufferedTables>?
    private var nextRow = 0
    /// The schema of rows that are not storage objects.
    @usableFromInline let schema: EntitySchema?
    /// The current row, if it is not a storage object.
    @usableFromInline private(set) var lent: LentRow?
    private var objects: ArraySlice<StorageObject>
    /// The current row, if it is a storage object.
    @usableFromInline private(set) var object: StorageObject?
    /// The number of rows that may still be read; negative after the last row.
    private var remaining: Int
    /// The size of the rows that may still be read.
    private var remainingBytes = Int.max
    /// The id of the current row.
    public private(set) var id = RawID(high: 0, low: 0)
    /// The version of the current row.
    public private(set) var version: Int64 = 0

    /// Lends storage objects, in their order and without a limit.
    public init(_ objects: ArraySlice<StorageObject>) {
        (source, schema, self.objects, remaining) = (nil, nil, objects, .max)
        unsafe tables = nil
    }

    /// Lends one storage object; the first row is the current one.
    @usableFromInline
    init(at object: StorageObject) {
        (source, schema, objects, self.object, remaining) = (nil, nil, [], object, 0)
        unsafe tables = nil
        (id, version) = (object.id, object.version)
    }

    /// Lends the rows of a source.
    ///
    /// - Parameters:
    ///   - source: The source, before its first row.
    ///   - schema: The schema of the rows, which are flat unless only versions are read.
    ///   - content: Whether the source's row has the schema's columns.
    ///   - limit: The maximum number of rows that are read from the source.
    ///   - byteLimit: The size after which no further row is read; see ``ReadRequest/byteLimit``.
    public init(
        _ source: any RowSource, of schema: EntitySchema, content: ReadRequest.Content = .rows, limit: Int?,
        byteLimit: Int? = nil
    ) {
        (self.source, self.schema, objects, remaining) = (source, schema, [], limit ?? .max)
        if let byteLimit, content != .versions { remainingBytes = byteLimit }
        unsafe tables = nil
        let cells = unsafe source.cells
        lent = unsafe cells.baseAddress.map {
            unsafe LentRow(
                id: id, cells: $0 + 2,
                columnCount: content == .versions ? 0 : min(cells.count - 2, schema.columnTypes.count), tables: nil,
                firstList: 0)
        }
    }

    /// Lends rows of a buffer.
    init(_ rows: Range<Int>, in tables: UnsafePointer<BufferedTables>, of schema: EntitySchema) {
        (source, self.schema, objects, remaining) = (nil, schema, [], rows.count)
        unsafe self.tables = tables
        nextRow = rows.lowerBound
    }

    /// Whether a limit, of rows or bytes, is reached.
    public var isFull: Bool { remaining == 0 }

    /// Moves to the next row.
    ///
    /// - Returns: Whether there is one.
    public mutating func next() throws(PersistencyError) -> Bool {
        if let source { return try next(of: source) }
        guard let tables = unsafe tables, let schema else {
            object = objects.popFirst()
            guard let object else { return false }
            (id, version) = (object.id, object.version)
            return true
        }
        guard remaining > 0 else { return false }
        remaining -= 1
        let row = unsafe tables.pointee.rows[nextRow]
        nextRow += 1
        (id, version) = (row.id, row.number)
        lent = unsafe LentRow(row, schema.columnTypes.count, tables)
        return true
    }

    private mutating func next(of source: any RowSource) throws(PersistencyError) -> Bool {
        guard remaining > 0, let schema else { return false }
        guard try source.advance() else {
            // A statement that has ended would restart on another call.
            remaining = -1
            return false
        }
        remaining -= 1
        guard let lent, let id = unsafe RawID(cell: lent.cells[-2]), let version = unsafe Int64(cell: lent.cells[-1])
        else { throw .unavailable(Unavailable(.failed, "the store has a row without an id or a version")) }
        (self.id, self.version) = (id, version)
        self.lent?.id = id
        if remainingBytes < .max {
            remainingBytes -= lent.byteCount(schema)
            if remainingBytes < 0 { remaining = 0 }
        }
        return true
    }
}

extension Rows {
    /// A copy of the current row with everything that it owns.
    ///
    /// - Complexity: O(1) if the store lends storage objects, otherwise O(*n*) for *n* columns.
    public func storageObject() throws(PersistencyError) -> StorageObject {
        if let lent, let schema { return lent.storageObject(schema, version: version) }
        guard let object else { throw Self.noRow }
        return object
    }

    /// The cells of id, version and columns of a flat row that is read in place, until the next row; otherwise `nil`.
    package var cellsInPlace: UnsafeBufferPointer<Cell>? {
        guard let lent, unsafe lent.tables == nil else { return nil }
        return unsafe UnsafeBufferPointer(start: lent.cells - 2, count: 2 + lent.columnCount)
    }

    @inlinable
    func reader() throws(PersistencyError) -> ObjectReader {
        if let lent, let schema { return ObjectReader(schema, lent) }
        guard let object else { throw Self.noRow }
        return ObjectReader(object)
    }

    @usableFromInline static var noRow: PersistencyError {
        .unavailable(Unavailable(.failed, "a row is read before the first or after the last one"))
    }
}
