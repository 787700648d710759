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
        for update in changes.updates { try judge(update.changes, update.key.schema) }
        for delete in changes.deletes { try judge(delete.key) }
        for object in changes.inserts { try judge(object.outgoingReferences) }
        return .unavailable(Unavailable(.failed, "a reference has no target, and none that was written is it"))
    }

    private func judge(_ changes: ObjectChanges, _ schema: EntitySchema) throws(PersistencyError) {
        for change in changes.columns {
            let column = schema.columns[change.column]
            guard let reference = column.reference, case .id(let id) = change.value else { continue }
            try judge([OutgoingReference(schema, column.name, reference.target, id)])
        }
        for change in changes.links {
            let link = schema.links[change.relationship]
            try judge(change.places.map { OutgoingReference(schema, link.name, link.target, $0.id) })
        }
        for change in changes.children {
            switch change.kind {
            case .insert(let object, _): try judge(object.outgoingReferences)
            case .update(_, let changes): try judge(changes, schema.children[change.relationship].schema)
            case .delete: continue
            }
        }
    }

    private func judge(_ references: [OutgoingReference]) throws(PersistencyError) {
        for reference in references {
            let target = reference.target
            guard let plan = writer.plan[target.entity] else { throw .unknownEntity(target.entity) }
            if try hasRow(plan.version, target.id) { continue }
            let isRemoved = changes.removals.contains { removal in
                removal.target == target.id && removal.reference.holder.name == reference.entity
                    && removal.reference.memberName == reference.column
            }
            if isRemoved { continue }
            throw .dangling(Dangling(entity: reference.entity, column: reference.column, id: target.id))
        }
    }

    private func judge(_ deleted: EntityKey) throws(PersistencyError) {
        for reference in writer.plan.schemas.references(to: deleted.schema) {
            guard let plan = writer.plan[reference.holder.name] else { continue }
            let referring =
                switch reference.member {
                case .column(let index): plan.referring(reference.holder.columns[index].name)
                case .link(let index): plan.links[index].referring
                }
            let statement = try writer.connection.statement(referring)
            defer { statement.finish() }
            try statement.bind(deleted.id, at: 1)
            guard try statement.step() else { continue }
            throw .dangling(Dangling(entity: reference.holder.name, column: reference.memberName, id: deleted.id))
        }
    }

    private func hasRow(_ text: SQLStatementText, _ id: RawID) throws(PersistencyError) -> Bool {
        let statement = try writer.connection.statement(text)
        defer { statement.finish() }
        try statement.bind(id, at: 1)
        return try statement.step()
    }
}

extension SQLTablePlan {
    /// Selects 1 if a row refers to an id through a column. (id)
    fileprivate func referring(_ column: String) -> String {
        "SELECT 1 FROM \(SQLText.quoted(table.name)) WHERE \(SQLText.quoted(column)) = ?1 LIMIT 1"
    }
}

extension SQLLinkPlan {
    fileprivate var referring: String {
        let target = SQLText.quoted(table.targetColumn)
        return "SELECT 1 FROM \(SQLText.quoted(table.name)) WHERE \(target) = ?1 LIMIT 1"
    }
}
