internal import LarderData
internal import LarderDomain

extension SQLiteDialect: SQLDefinitionDialect {
    var rebuildsTables: Bool { true }
    var altersColumns: Bool { SQLiteLibrary.altersColumns }
    var ifMissing: String { "IF NOT EXISTS " }
    var anyType: String { SQLiteLibrary.anyType }

    /// `WITHOUT ROWID` saves a second search; with blobs in its rows, the tree of the key would be deep.
    func options(isClustered: Bool) -> String {
        SQLiteLibrary.options(isClustered ? ["STRICT", "WITHOUT ROWID"] : ["STRICT"])
    }

    func columnType(_ type: ColumnType) -> String { self.type(SQLKind(type)) }

    func constant(_ value: Value) -> String {
        // The description of every other value is a literal of SQL.
        if case .id(let id) = value { "\(Value.blob(RawID.packed([id])))" } else { "\(value)" }
    }

    func short(_ name: String) -> String { name }

    func definitions(ofWordIndex index: SQLIndex, on table: SQLTable, concurrently: Bool) -> [String] {
        wordIndex(of: table)?.definition ?? []
    }

    func indexTerm(_ column: Column) -> String { SQLText.quoted(column.name) }

    /// An index of a `WITHOUT ROWID` table contains its key; any other must name the id to be ordered by it.
    func indexesID(of table: SQLTable) -> Bool { table.schema.hasBlobs }

    func lowest(_ id: String) -> String { "min(\(id))" }

    func recorded(_ value: Value) -> Value { value }

    func value(ofRecorded value: Value, _ type: ColumnType?) -> Value? {
        guard type == .id, case .blob(let bytes) = value else { return value }
        return unsafe bytes.withUnsafeBytes { unsafe Cell.blob($0).value(of: .id) }
    }
}
