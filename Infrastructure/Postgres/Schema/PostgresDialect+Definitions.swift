#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

extension PostgresDialect: SQLDefinitionDialect {
    var rebuildsTables: Bool { false }
    var altersColumns: Bool { true }
    var ifMissing: String { "" }
    var anyType: String { type(.blob) }

    /// Free space in each page keeps new versions of a row in its page, where no index has to change.
    func options(isClustered: Bool) -> String { " WITH (fillfactor = 80)" }

    func columnType(_ type: ColumnType) -> String {
        let kind = SQLKind(type)
        return self.type(kind) + (kind == .text ? " \(Self.collation)" : "")
    }

    func constant(_ value: Value) -> String {
        switch value {
        case .blob(let bytes): "'\\x\(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())'::bytea"
        case .id(let id): "'\(id)'::uuid"
        case .real(let real): "'\(real)'::double precision"
        default: "\(value)"
        }
    }

    /// A name that PostgreSQL does not cut: the start of a long one, and a checksum.
    func short(_ name: String) -> String {
        guard name.utf8.count > 63 else { return name }
        return String(decoding: name.utf8.prefix(46), as: UTF8.self) + "_" + String(name.utf8.fingerprint, radix: 16)
    }

    /// The start of a text or blob. It has the order of reads.
    func indexTerm(_ column: Column) -> String {
        let name = SQLText.quoted(column.name)
        return (start(of: name, SQLKind(column.type)).map { "(\($0))" } ?? name) + " NULLS FIRST"
    }

    func definitions(ofWordIndex index: SQLIndex, on table: SQLTable, concurrently: Bool) -> [String] {
        let words = index.columns.map(SQLText.quoted).joined()
        return [creation(of: index, concurrently: concurrently) + "USING gin ((\(words)::tsvector))"]
    }

    func indexesID(of table: SQLTable) -> Bool { true }

    func lowest(_ id: String) -> String { "min(\(id)::text)::uuid" }

    /// The encoding of files.
    func recorded(_ value: Value) -> Value {
        var writer = ValueWriter()
        writer.append(value)
        return .blob(writer.bytes)
    }

    func value(ofRecorded value: Value, _ type: ColumnType?) -> Value? {
        guard case .blob(let bytes) = value else { return value }
        var reader = ValueReader(bytes)
        return try? reader.value()
    }
}
#endif
