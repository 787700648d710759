internal import LarderData
internal import LarderDomain

/// A flat row that a store lends, with some of its values replaced by decrypted ones.
///
/// One thread uses it, so accesses are not checked for exclusivity, which would cost more than a cell for each row.
@safe final class ReplacedRow: RowSource {
    private let schema: EntitySchema
    /// The cells of id, version and columns.
    private let copy: UnsafeMutableBufferPointer<Cell>
    /// The bytes of decrypted values.
    private let space = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
    @exclusivity(unchecked) private var usedBytes = 0
    /// The bytes of values that are too long for the space.
    @exclusivity(unchecked) private var blocks = unsafe [UnsafeMutableRawBufferPointer]()
    @exclusivity(unchecked) private var isRead = true

    init(of schema: EntitySchema) {
        self.schema = schema
        unsafe copy = .allocate(capacity: 2 + schema.columns.count)
        unsafe copy.initialize(repeating: .null)
    }

    deinit {
        removeBlocks()
        unsafe space.deallocate()
        unsafe copy.deallocate()
    }

    var cells: UnsafeBufferPointer<Cell> { unsafe UnsafeBufferPointer(copy) }

    /// Takes the cells of the current row, which are valid until the next one.
    ///
    /// - Returns: Whether the store lends a flat row in place, with at least the columns of the schema.
    func take(_ rows: borrowing Rows) -> Bool {
        guard let cells = unsafe rows.cellsInPlace, unsafe cells.count >= copy.count else { return false }
        unsafe usedBytes = 0
        if unsafe !blocks.isEmpty { removeBlocks() }
        if let cells = cells.baseAddress { unsafe copy.baseAddress?.update(from: cells, count: copy.count) }
        unsafe isRead = false
        return true
    }

    subscript(column: Int) -> Value {
        get { unsafe copy[2 + column].value(of: .blob) }
        set { unsafe copy[2 + column] = cell(newValue) }
    }

    /// The bytes of a blob after a prefix, which are valid until the next row; `nil` for other values.
    func blob(_ column: Int, after prefix: [UInt8]) -> UnsafeRawBufferPointer? {
        guard case .blob(let bytes) = unsafe copy[2 + column], bytes.count >= prefix.count else { return nil }
        for index in prefix.indices where unsafe bytes[index] != prefix[index] { return nil }
        return unsafe UnsafeRawBufferPointer(rebasing: bytes[prefix.count...])
    }

    /// Replaces a value by a text, whose bytes are a range of an array.
    func replace(_ column: Int, byText bytes: [UInt8], _ range: Range<Int>) {
        unsafe copy[2 + column] = unsafe .text(
            bytes.withUnsafeBytes { unsafe copied(UnsafeRawBufferPointer(rebasing: $0[range])) })
    }

    /// Lends the row.
    func lend(to body: RowVisitor) throws(PersistencyError) {
        var rows = Rows(self, of: schema, limit: 1)
        try body(&rows)
    }

    func advance() -> Bool {
        defer { unsafe isRead = true }
        return unsafe !isRead
    }

    private func cell(_ value: Value) -> Cell {
        switch value {
        case .null: return .null
        case .integer(let integer): return .integer(integer)
        case .real(let real): return .real(real)
        case .text(var text): return unsafe .text(text.withUTF8 { unsafe copied(UnsafeRawBufferPointer($0)) })
        case .blob(let bytes): return unsafe .blob(bytes.withUnsafeBytes { unsafe copied($0) })
        case .id(let id):
            return unsafe .blob(
                withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) { unsafe copied($0) })
        }
    }

    private func copied(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let (start, end) = unsafe (usedBytes, usedBytes + bytes.count)
        if unsafe end <= space.count {
            unsafe usedBytes = end
            unsafe space[start..<end].copyBytes(from: bytes)
            return unsafe UnsafeRawBufferPointer(rebasing: space[start..<end])
        }
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        unsafe block.copyMemory(from: bytes)
        unsafe blocks.append(block)
        return UnsafeRawBufferPointer(block)
    }

    private func removeBlocks() {
        unsafe blocks.forEach { unsafe $0.deallocate() }
        unsafe blocks.removeAll(keepingCapacity: true)
    }
}
