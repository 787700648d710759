internal import LarderData
internal import LarderDomain

/// A root's declared schema, that of the base, and the places of its sealed columns.
struct SealedRoot {
    let schema: EntitySchema
    let form: EntitySchema
    /// Empty if rows are decrypted as storage objects.
    private let places: [SealedPlace]

    init(_ schema: EntitySchema, _ form: EntitySchema, _ keys: SealingKeys) {
        (self.schema, self.form) = (schema, form)
        let isInPlace = schema.isFlat && schema.equalityColumns.isEmpty
        places = isInPlace ? schema.sealedColumns.map { SealedPlace($0, schema, keys.current) } : []
    }

    /// Lends rows of the base with their values decrypted: the cells of a flat row in place, otherwise storage objects.
    func lend(_ rows: inout Rows, by sealer: Sealer, to body: RowVisitor) throws(PersistencyError) {
        if schema.sealedColumn == nil { return try body(&rows) }
        var places = places
        let row = places.isEmpty ? nil : ReplacedRow(of: schema)
        while try rows.next() {
            guard let row, row.take(rows) else {
                try Rows.lend([try rows.storageObject().opened(by: sealer, schema)], to: body)
                continue
            }
            for index in places.indices where !places[index].open(in: row, of: rows.id) {
                let column = places[index].column
                row[column] = try sealer.open(row[column], column, of: rows.id, schema)
            }
            try row.lend(to: body)
        }
    }
}

/// A column, with the bytes that the values that are sealed with the current key have in common.
private struct SealedPlace {
    let column: Int
    private let isText: Bool
    private let cipher: any Cipher
    private let header: [UInt8]
    /// The cipher's context; its last 16 bytes are the id.
    private var context: [UInt8]
    /// The sealed value, in memory that all rows use.
    private var sealed: [UInt8] = []

    init(_ column: Int, _ schema: EntitySchema, _ key: SealingKeys.Key) {
        (self.column, cipher, isText) = (column, key.cipher, schema.columnTypes[column] == .text)
        header = Sealer.header(key.id)
        context = Sealer.context(key.id, schema.name, RawID(high: 0, low: 0), schema.columns[column].name)
    }

    /// Decrypts a text in place.
    ///
    /// - Returns: `false`, and leaves the row unchanged, for any other value, and for one that the current key does not open.
    mutating func open(in row: ReplacedRow, of id: RawID) -> Bool {
        guard isText, let bytes = unsafe row.blob(column, after: header) else { return false }
        sealed.removeAll(keepingCapacity: true)
        unsafe sealed.append(contentsOf: bytes)
        unsafe context.withUnsafeMutableBytes { context in
            let place = context.count - 16
            unsafe context.storeBytes(of: id.high.bigEndian, toByteOffset: place, as: UInt64.self)
            unsafe context.storeBytes(of: id.low.bigEndian, toByteOffset: place + 8, as: UInt64.self)
        }
        guard let plain = try? cipher.open(sealed, boundTo: context) else { return false }
        var reader = ValueReader(plain)
        guard let text = try? reader.textBytes(), reader.isAtEnd else { return false }
        row.replace(column, byText: plain, text)
        return true
    }
}
