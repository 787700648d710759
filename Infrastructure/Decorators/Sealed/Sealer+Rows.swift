internal import LarderData
internal import LarderDomain

extension Sealer {
    /// Lends rows of the base with their values decrypted: the cells of a flat row in place, otherwise storage objects.
    func lend(_ rows: inout Rows, of schema: EntitySchema, to body: RowVisitor) throws(PersistencyError) {
        if schema.sealedColumn == nil { return try body(&rows) }
        let row = schema.isFlat && schema.equalityColumns.isEmpty ? ReplacedRow(of: schema) : nil
        let places = schema.sealedColumns.map { SealedPlace($0, schema, keys.current) }
        while try rows.next() {
            guard let row, row.take(rows) else {
                try Rows.lend([try rows.storageObject().opened(by: self, schema)], to: body)
                continue
            }
            for place in places where !place.open(in: row, of: rows.id) {
                row[place.column] = try open(row[place.column], place.column, of: rows.id, schema)
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
    /// The cipher's context without the id.
    private let context: [UInt8]

    init(_ column: Int, _ schema: EntitySchema, _ key: SealingKeys.Key) {
        (self.column, cipher, isText) = (column, key.cipher, schema.columnTypes[column] == .text)
        header = Sealer.header(key.id)
        context = Sealer.context(key.id, schema.name, schema.columns[column].name).bytes
    }

    /// Decrypts a text in place.
    ///
    /// - Returns: `false`, and leaves the row unchanged, for any other value, and for one that the current key does not open.
    func open(in row: ReplacedRow, of id: RawID) -> Bool {
        guard isText, let text = row.blob(column, after: header) else { return false }
        var bound = ValueWriter(context)
        bound.append(id)
        guard let plain = try? cipher.open(text, boundTo: bound.bytes) else { return false }
        var reader = ValueReader(plain)
        guard let text = try? reader.textBytes(), reader.isAtEnd else { return false }
        row.replace(column, byText: plain, text)
        return true
    }
}
