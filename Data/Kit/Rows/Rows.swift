public import LarderDomain

/// The body of a read: receives the rows in their order, in one call or in several, one after the other.
public typealias RowBody = @Sendable (inout Rows) throws(PersistencyError) -> Void

/// Rows that a store lends to the body of a read: a cursor over a statement or over storage objects.
///
/// ```swift
/// try await store.withRows(request) { rows throws(PersistencyError) in
///     while try rows.next() { use(rows.id, rows.version) }
/// }
/// ```
///
/// A row is valid until the next one is read, and the rows are valid until the body returns. The compiler enforces it:
/// rows are not copyable and not `Sendable`, the body has them as `inout`, and what reads a row (``ObjectReader``) is made
/// by them alone. The body is synchronous, so the rows are confined to the thread on which the store calls it.
@safe public struct Rows: ~Copyable {
    private let source: (any RowSource)?
    /// The source's schema.
    @usableFromInline let schema: EntitySchema?
    /// The cells of the source's row, without id and version.
    @usableFromInline let cells: UnsafePointer<Cell>?
    @usableFromInline let columnCount: Int
    private var objects: ArraySlice<StorageObject>
    /// The current row, if it is a storage object.
    @usableFromInline private(set) var object: StorageObject?
    /// The number of rows that may still be read; negative after the last row.
    private var remaining: Int
    /// The id of the current row.
    public private(set) var id = RawID(high: 0, low: 0)
    /// The version of the current row.
    public private(set) var version: Int64 = 0

    public init(_ objects: ArraySlice<StorageObject>) {
        (source, schema, columnCount, self.objects, remaining) = (nil, nil, 0, objects, .max)
        unsafe cells = nil
    }

    /// Lends one storage object; the first row is the current one.
    @usableFromInline
    init(at object: StorageObject) {
        (source, schema, columnCount, objects, self.object, remaining) = (nil, nil, 0, [], object, 0)
        unsafe cells = nil
        (id, version) = (object.id, object.version)
    }

    /// Lends the rows of a source.
    ///
    /// - Parameters:
    ///   - schema: The schema of the rows, which are flat unless only versions are read.
    ///   - content: Whether the source's row has the schema's columns.
    ///   - limit: The most rows that are read from the source.
    public init(_ source: any RowSource, of schema: EntitySchema, content: ReadRequest.Content = .rows, limit: Int?) {
        (self.source, self.schema, objects, remaining) = (source, schema, [], limit ?? .max)
        let lent = unsafe source.cells
        columnCount = content == .rows ? lent.count - 2 : 0
        unsafe cells = lent.baseAddress.map { unsafe $0 + 2 }
    }

    /// Whether as many rows were read as the limit permits.
    public var isFull: Bool { remaining == 0 }

    /// Moves to the next row.
    ///
    /// - Returns: Whether there is one.
    public mutating func next() throws(PersistencyError) -> Bool {
        guard let source else {
            object = objects.popFirst()
            guard let object else { return false }
            (id, version) = (object.id, object.version)
            return true
        }
        guard remaining > 0 else { return false }
        guard try source.advance() else {
            // A statement that has ended begins again when it is asked once more.
            remaining = -1
            return false
        }
        remaining -= 1
        guard let cells = unsafe cells, let id = unsafe RawID(cell: cells[-2]),
            let version = unsafe Int64(cell: cells[-1])
        else { throw .unavailable(Unavailable(.failed, "the store has a row without an id or a version")) }
        (self.id, self.version) = (id, version)
        return true
    }
}

extension Rows {
    /// A copy of the current row with all that it owns.
    ///
    /// - Complexity: O(1) where a store lends storage objects, O(*n*) for *n* columns elsewhere.
    public func storageObject() throws(PersistencyError) -> StorageObject {
        guard let cells = unsafe cells, let schema else {
            guard let object else { throw Self.noRow }
            return object
        }
        var values: [Value] = []
        values.reserveCapacity(columnCount)
        for index in 0..<columnCount { values.append(unsafe cells[index].value(of: schema.columnTypes[index])) }
        return StorageObject(schema: schema, id: id, version: version, values: values)
    }

    /// The size of the current row in memory, roughly: the bytes of texts and blobs, and 64 for every value and object.
    var memoryByteCount: Int {
        guard let cells = unsafe cells else { return object?.memoryByteCount ?? 0 }
        return (0..<columnCount).reduce(64 * (1 + columnCount)) { unsafe $0 + cells[$1].byteCount }
    }

    /// What reads the current row.
    @inlinable
    func reader() throws(PersistencyError) -> ObjectReader {
        if let cells = unsafe cells, let schema { return unsafe ObjectReader(schema, id, cells, columnCount) }
        guard let object else { throw Self.noRow }
        return ObjectReader(object)
    }

    @usableFromInline static var noRow: PersistencyError {
        .unavailable(Unavailable(.failed, "a row is read before the first or after the last one"))
    }
}
