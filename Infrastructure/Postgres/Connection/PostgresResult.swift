#if Postgres
internal import CLarderPostgres
internal import LarderData
internal import LarderDomain

/// The rows of a statement, which the client has received completely.
@safe final class PostgresResult {
    let handle: OpaquePointer
    private let types: [UInt32]
    private let lentCells: UnsafeMutableBufferPointer<Cell>
    private var row: Int32 = -1
    let count: Int

    init(_ handle: OpaquePointer) {
        unsafe self.handle = handle
        // A value in the text form is a text, also that of a number.
        types = unsafe (0..<PQnfields(handle)).map { unsafe PQfformat(handle, $0) == 0 ? 0 : PQftype(handle, $0) }
        count = unsafe Int(PQntuples(handle))
        unsafe lentCells = .allocate(capacity: types.count)
        unsafe lentCells.initialize(repeating: .null)
    }

    deinit {
        unsafe PQclear(handle)
        unsafe lentCells.deallocate()
    }

    /// The number of rows that a statement has written.
    var written: Int { unsafe Int(String(cString: PQcmdTuples(handle))) ?? 0 }

    /// The name of the command that ended: `COMMIT` or `ROLLBACK`.
    var command: String { unsafe String(cString: PQcmdStatus(handle)) }

    /// A column of the current row, numbered from 0, in the result's memory.
    func cell(_ column: Int) -> Cell {
        let index = Int32(truncatingIfNeeded: column)
        if unsafe PQgetisnull(handle, row, index) == 1 { return .null }
        let length = unsafe Int(PQgetlength(handle, row, index))
        let bytes = unsafe UnsafeRawBufferPointer(start: PQgetvalue(handle, row, index), count: length)
        return switch types[column] {
        case 16: .integer(unsafe bytes.first == 0 ? 0 : 1)
        case 20, 5069: .integer(unsafe Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        case 23: .integer(Int64(unsafe Int32(bigEndian: bytes.loadUnaligned(as: Int32.self))))
        case 701: .real(Double(bitPattern: unsafe UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))))
        case 17, 2950: unsafe .blob(bytes)
        default: unsafe .text(bytes)
        }
    }

    func value(_ column: Int, _ type: ColumnType) -> Value { cell(column).value(of: type) }

    func integer(_ column: Int) -> Int64 { if case .integer(let integer) = cell(column) { integer } else { 0 } }

    func text(_ column: Int) -> String {
        if case .text(let text) = value(column, .text) { text } else { "" }
    }

    /// Whether there is a row, and its first column is true.
    var isTrue: Bool { advance() && integer(0) == 1 }
}

extension PostgresResult {
    /// What a body makes of each row.
    func map<Element, Failure: Error>(
        _ body: (PostgresResult) throws(Failure) -> Element
    ) throws(Failure) -> [Element] {
        var elements: [Element] = []
        while advance() { elements.append(try body(self)) }
        return elements
    }
}

/// Lends its rows in place.
extension PostgresResult: RowSource {
    var cells: UnsafeBufferPointer<Cell> { unsafe UnsafeBufferPointer(lentCells) }

    func advance() -> Bool {
        guard Int(row) + 1 < count else { return false }
        row += 1
        let cells = unsafe lentCells
        for column in 0..<cells.count { unsafe cells[column] = cell(column) }
        return true
    }
}
#endif
