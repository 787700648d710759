#if Postgres
internal import LarderData
internal import LarderInfrastructure

/// The constraints of a table.
enum PostgresDefinition {
    /// The constraint of a unique group, checked at the end of a commit: two rows may swap their values. Its index also
    /// has the order of reads. It compares the starts of texts and blobs, and hashes of longer ones.
    static func unique(_ group: [Int], of table: SQLTable) -> String {
        let columns = group.map { table.schema.columns[$0] }
        let starts = columns.map { "\(PostgresDialect().indexTerm($0)) WITH =" }
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
        return PostgresDialect().short(([table.name, "unique"] + columns).joined(separator: "_"))
    }

    /// The foreign keys of a table and its links.
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
}

struct PostgresForeignKey: Sendable {
    /// The table with the key, and its name, which errors contain.
    let name: PostgresName
    /// The schema with the reference, and the name of its column or list.
    let entity: String
    let member: String
    /// The table to which it refers.
    let target: String
    let text: String

    var constraint: PostgresRelation.Constraint { .init(name: name, target: target) }

    init(_ table: String, _ column: String, _ target: String, _ member: String, of entity: String? = nil) {
        name = PostgresName(table: table, name: PostgresDialect().short("\(table)_\(column)_fkey"))
        (self.entity, self.member, self.target) = (entity ?? table, member, target)
        text =
            "ALTER TABLE \(SQLText.quoted(table)) ADD CONSTRAINT \(SQLText.quoted(name.name)) FOREIGN KEY "
            + "(\(SQLText.quoted(column))) " + PostgresDialect().deferredReference(to: target)
    }
}
#endif
