internal import LarderData
internal import LarderDomain

/// Finds the dangling reference of a change set after SQLite has reported that one exists.
struct SQLiteReferenceJudge {
    private let writer: SQLiteChangeApplier
    private let changes: ChangeSet

    init(_ writer: SQLiteChangeApplier, _ changes: ChangeSet) {
        (self.writer, self.changes) = (writer, changes)
    }

    /// Checks updates, deletes (for references by remaining objects) and inserts, in this order.
    func dangling() throws(PersistencyError) -> PersistencyError {
        for update in changes.updates { try judge(written: update.key) }
        for delete in changes.deletes { try judge(deleted: delete.key) }
        for object in changes.inserts { try judge(written: EntityKey(object.schema, object.id)) }
        return .unavailable(Unavailable(.failed, "a reference that was not written has no target"))
    }

    /// Checks all references of an aggregate as it is now, without the removed ones.
    private func judge(written key: EntityKey) throws(PersistencyError) {
        let plan = try writer.plan.root(key.schema)
        let statement = try writer.connection.statement(plan.readOne)
        try statement.bind(key.id, at: 1)
        for object in try SQLiteReading(connection: writer.connection).objects(statement, plan) {
            for reference in object.outgoingReferences {
                let target = reference.target
                guard let plan = writer.plan[target.entity] else { throw .unknownEntity(target.entity) }
                if try !hasRow(plan.versions, target.id) { throw .dangling(reference.dangling) }
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
            let statement = try writer.connection.statement(
                "SELECT 1 FROM \(SQLText.quoted(table)) WHERE \(SQLText.quoted(column)) = ?1 LIMIT 1")
            defer { statement.finish() }
            try statement.bind(deleted.id, at: 1)
            guard try statement.step() else { continue }
            throw .dangling(Dangling(entity: reference.holder.name, column: reference.memberName, id: deleted.id))
        }
        try judgeUnknown(deleted)
    }

    /// Checks references from tables that a newer program has added.
    private func judgeUnknown(_ deleted: EntityKey) throws(PersistencyError) {
        for key in try writer.connection.foreignKeys() where key.target == deleted.schema.name {
            let statement = try writer.connection.uncached(
                "SELECT 1 FROM \(SQLText.quoted(key.table)) WHERE \(SQLText.quoted(key.column)) = ?1 LIMIT 1")
            defer { statement.finish() }
            try statement.bind(deleted.id, at: 1)
            if try statement.step() { throw .dangling(Dangling(entity: key.table, column: key.column, id: deleted.id)) }
        }
    }

    private func hasRow(_ text: SQLStatementText, _ id: RawID) throws(PersistencyError) -> Bool {
        let statement = try writer.connection.statement(text)
        defer { statement.finish() }
        try statement.bind(id, at: 1)
        return try statement.step()
    }
}
