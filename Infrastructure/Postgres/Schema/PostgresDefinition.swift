#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// Statements that create tables, foreign keys and indexes.
enum PostgresDefinition {
    static func tables(_ table: SQLTable) -> [String] { [objects(table)] + table.links.map(links) }

    static func objects(_ table: SQLTable) -> String {
        let place = table.owner.map { [key($0), "\"position\" bigint NOT NULL"] } ?? ["\"version\" bigint NOT NULL"]
        let primary = table.derivedKey ?? ["id"]
        return create(
            table.name,
            [key("id")] + place + table.schema.columns.map { column($0) } + ["PRIMARY KEY (\(SQLText.quoted(primary)))"]
        )
    }

    static func links(_ link: SQLLinkTable) -> String {
        create(
            link.name,
            [
                key(link.owner), "\"position\" bigint NOT NULL", key(link.targetColumn),
                "PRIMARY KEY (\(SQLText.quoted([link.owner, "position"])))",
            ])
    }

    private static func create(_ name: String, _ parts: [String]) -> String {
        // Free space in each page keeps new versions of a row in its page, where no index has to change.
        "CREATE TABLE \(SQLText.quoted(name)) (\n    \(parts.joined(separator: ",\n    "))\n) WITH (fillfactor = 80)"
    }

    private static func key(_ name: String) -> String { "\(SQLText.quoted(name)) uuid NOT NULL" }

    /// - Parameter name: The name of the column, if it is not the declared one.
    static func column(_ column: Column, named name: String? = nil) -> String {
        let kind = SQLKind(column.type)
        return SQLText.quoted(name ?? column.name) + " " + PostgresDialect().type(kind)
            + (kind == .text ? " \(PostgresDialect.collation)" : "") + (column.isNullable ? "" : " NOT NULL")
            + (column.defaultValue.map { " DEFAULT " + constant($0) } ?? "")
    }

    /// Adds a column to a table with rows. One that is computed later has a default until then.
    static func add(_ column: Column, named name: String? = nil, to table: String) -> [String] {
        let alter = "ALTER TABLE \(SQLText.quoted(table))"
        let add = "\(alter) ADD COLUMN \(self.column(column, named: name))"
        if column.isNullable || column.defaultValue != nil { return [add] }
        return [
            add + " DEFAULT \(constant(column.type.someValue))",
            "\(alter) ALTER COLUMN \(SQLText.quoted(name ?? column.name)) DROP DEFAULT",
        ]
    }

    static func constant(_ value: Value) -> String {
        switch value {
        case .blob(let bytes): "'\\x\(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())'::bytea"
        case .id(let id): "'\(id)'::uuid"
        case .real(let real): "'\(real)'::double precision"
        default: "\(value)"
        }
    }

    /// An index with the starts of texts and blobs. It has the order of reads, and ends with the id, which breaks ties.
    ///
    /// - Parameter concurrently: Whether others write meanwhile; then, it cannot be part of a transaction.
    static func index(_ index: SQLIndex, of table: SQLTable, concurrently: Bool = false) -> String {
        let terms = index.columns.map { name in
            let isOwn = index.table == table.name
            let declared = isOwn ? table.schema.columns.first { $0.name == name } : nil
            return declared.map(term) ?? SQLText.quoted(name)
        }
        let id = index.table == table.name && table.derivedKey == nil ? ["\"id\""] : []
        return
            "CREATE INDEX \(concurrently ? "CONCURRENTLY " : "")\(SQLText.quoted(short(index.name))) ON \(SQLText.quoted(index.table)) "
            + "(\((terms + id).joined(separator: ", ")))"
    }

    private static func term(_ column: Column) -> String {
        let name = SQLText.quoted(column.name)
        return (PostgresDialect().start(of: name, SQLKind(column.type)).map { "(\($0))" } ?? name) + " NULLS FIRST"
    }

    /// The constraint of a unique group, checked at the end of a commit: two rows may swap their values. Its index also
    /// has the order of reads. It compares the starts of texts and blobs, and hashes of longer ones.
    static func unique(_ group: [Int], of table: SQLTable) -> String {
        let columns = group.map { table.schema.columns[$0] }
        let starts = columns.map { "\(term($0)) WITH =" }
        let hashes = columns.filter { PostgresDialect().start(of: "", SQLKind($0.type)) != nil }.map { column in
            let name = SQLText.quoted(column.name)
            return "(CASE WHEN length(\(name)) > 128 THEN md5(\(name)) ELSE '' END) WITH ="
        }
        return
            "ALTER TABLE \(SQLText.quoted(table.name)) ADD CONSTRAINT \(SQLText.quoted(uniqueName(group, of: table))) "
            + "EXCLUDE USING btree (\((starts + hashes).joined(separator: ", "))) DEFERRABLE INITIALLY DEFERRED"
    }

    static func uniqueName(_ group: [Int], of table: SQLTable) -> String {
        let columns = group.map { table.schema.columns[$0].name }
        return short(([table.name, "unique"] + columns).joined(separator: "_"))
    }

    /// The foreign keys of a table and its links. They are checked at the end of a commit, and do not cascade: Data has
    /// computed the effects of deletes.
    static func foreignKeys(_ table: SQLTable) -> [PostgresForeignKey] {
        let owner = table.owner.map { [PostgresForeignKey(table.name, $0, $0, $0)] } ?? []
        let columns = table.schema.columns.compactMap { column in
            column.reference.map { PostgresForeignKey(table.name, column.name, $0.target, column.name) }
        }
        let links = zip(table.links, table.schema.links).flatMap { link, declared in
            [
                PostgresForeignKey(link.name, link.owner, link.owner, declared.name),
                PostgresForeignKey(link.name, link.targetColumn, link.target, declared.name, of: table.name),
            ]
        }
        return owner + columns + links
    }

    /// A name that PostgreSQL does not cut: the start of a long one, and a checksum.
    static func short(_ name: String) -> String {
        guard name.utf8.count > 63 else { return name }
        return String(decoding: name.utf8.prefix(46), as: UTF8.self) + "_"
            + String(Array(name.utf8).fingerprint, radix: 16)
    }
}

extension [UInt8] {
    /// The FNV-1a hash.
    var fingerprint: UInt64 { reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 } }
}

struct PostgresForeignKey: Sendable {
    /// Its name, which errors contain.
    let name: String
    /// The schema with the reference, and the name of its column or list.
    let entity: String
    let member: String
    /// The table with the key, and the one to which it refers.
    let table: String
    let target: String
    let text: String

    init(_ table: String, _ column: String, _ target: String, _ member: String, of entity: String? = nil) {
        name = PostgresDefinition.short("\(table)_\(column)_fkey")
        (self.entity, self.member, self.table, self.target) = (entity ?? table, member, table, target)
        text =
            "ALTER TABLE \(SQLText.quoted(table)) ADD CONSTRAINT \(SQLText.quoted(name)) FOREIGN KEY "
            + "(\(SQLText.quoted(column))) REFERENCES \(SQLText.quoted(target)) (\"id\") DEFERRABLE INITIALLY DEFERRED"
    }
}
#endif
