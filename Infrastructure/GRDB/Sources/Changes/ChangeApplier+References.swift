internal import GRDB
internal import LarderData
internal import LarderDomain

extension ChangeApplier {
    /// Finds the dangling reference of an applied change set after SQLite has refused to commit it.
    func dangling(_ changes: ChangeSet, _ schemas: SchemaSet) throws -> PersistencyError {
        for delete in changes.deletes {
            for reference in schemas.references(to: delete.key.schema) {
                let (table, column) = member(reference, from: try table(reference.root))
                let statement = try database.cachedStatement(sql: "SELECT 1 FROM \(table) WHERE \(column) = ? LIMIT 1")
                guard try Int.fetchOne(statement, arguments: [delete.key.id.stored]) != nil else { continue }
                return dangling(reference, delete.key.id)
            }
        }
        for key in changes.updates.map(\.key) + changes.inserts.map(\.key) {
            let root = try table(key.schema)
            for reference in root.schema.references {
                let (table, column) = member(reference, from: root)
                let statement = try database.cachedStatement(
                    sql: """
                        SELECT \(column) FROM \(table) WHERE \(holders(reference, from: root)) \
                        AND \(column) IS NOT NULL AND \(column) NOT IN (SELECT id FROM \(reference.target.quotedDatabaseIdentifier)) LIMIT 1
                        """)
                guard let row = try Row.fetchOne(statement, arguments: [key.id.stored]) else { continue }
                return dangling(reference, try row.id(0))
            }
        }
        return .unavailable(Unavailable(.failed, "a reference that was not written has no target"))
    }

    private func dangling(_ reference: IncomingReference, _ id: RawID) -> PersistencyError {
        .dangling(Dangling(entity: reference.holder.name, column: reference.memberName, id: id))
    }

    /// The table and the column of a reference.
    private func member(_ reference: IncomingReference, from root: StoredTable) -> (table: String, column: String) {
        let holder = reference.path.reduce(root) { $0.children[$1] }
        switch reference.member {
        case .column: return (holder.quotedName, reference.memberName.quotedDatabaseIdentifier)
        case .link(let list): return (holder.links[list].quotedName, holder.links[list].quotedTarget)
        }
    }

    /// Selects the rows of a reference in one aggregate. (id of the root)
    private func holders(_ reference: IncomingReference, from root: StoredTable) -> String {
        var (table, test) = (root, "= ?")
        for list in reference.path {
            let child = table.children[list]
            test = "IN (SELECT id FROM \(child.quotedName) WHERE \(table.quotedName) \(test))"
            table = child
        }
        if case .link = reference.member { return "\(table.quotedName) \(test)" }
        return "id \(test)"
    }
}
