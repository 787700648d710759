internal import LarderData
internal import LarderDomain

/// Finds the dangling reference of a change set after SQLite has reported that one exists.
struct SQLiteReferenceJudge {
    let writer: SQLiteChangeApplier
    let changes: ChangeSet

    /// Checks updates, deletes (for references by remaining objects) and inserts, in this order.
    func dangling() throws(PersistencyError) -> PersistencyError {
        for update in changes.updates { try judge(written: update.key) }
        for delete in changes.deletes { try judge(deleted: delete.key) }
        for object in changes.inserts { try judge(written: EntityKey(object.schema, object.id)) }
        return .failed("a reference that was not written has no target")
    }

    /// Checks all references of an aggregate as it is now, without the removed ones.
    private func judge(written key: EntityKey) throws(PersistencyError) {
        let plan = try writer.plan.root(key.schema)
        let reading = SQLiteReading(connection: writer.connection)
        for object in try reading.objects(reading.found([key.id], plan), plan) {
            for reference in object.outgoingReferences {
                let target = reference.target
                guard let plan = writer.plan[target.entity] else { throw .unknownEntity(target.entity) }
                if try writer.version(of: target.id, plan) == nil { throw .dangling(reference.dangling) }
            }
        }
    }

    private func judge(deleted: EntityKey) throws(PersistencyError) {
        for reference in writer.plan.schemas.references(to: deleted.schema) {
            guard let plan = writer.plan[reference.holder.name] else { continue }
            let (table, column) =
                switch reference.member {
                case .column: (plan.table.name, reference.memberName)
                case .link(let index): (plan.links[index].table.name, plan.links[index].table.targetColumn)
                }
            if try refers(table, column, to: deleted.id) {
                throw .dangling(Dangling(entity: reference.holder.name, column: reference.memberName, id: deleted.id))
            }
        }
        try judgeUnknown(deleted)
    }

    /// Checks references from tables that a newer program has added.
    private func judgeUnknown(_ deleted: EntityKey) throws(PersistencyError) {
        for key in try writer.connection.foreignKeys() where key.target == deleted.schema.name {
            if try refers(key.table, key.column, to: deleted.id) {
                throw .dangling(Dangling(entity: key.table, column: key.column, id: deleted.id))
            }
        }
    }

    private func refers(_ table: String, _ column: String, to id: RawID) throws(PersistencyError) -> Bool {
        let text = "SELECT 1 FROM \(SQLText.quoted(table)) WHERE \(SQLText.quoted(column)) = ?1 LIMIT 1"
        return try writer.connection.statement(text).first([.id(id)]) { _ in true } ?? false
    }
}
