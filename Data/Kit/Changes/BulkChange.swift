public import LarderDomain

/// An update of all roots that satisfy a condition. The store evaluates it, so that no root is read.
public struct BulkChange: Sendable, Equatable {
    /// The schema of the roots.
    public let schema: EntitySchema
    /// The condition.
    public let condition: Condition
    /// The changes, at most one of each column, in column order.
    public let assignments: [ColumnAssignment]

    /// Changes roots of a schema.
    public init(_ schema: EntitySchema, where condition: Condition, _ assignments: [ColumnAssignment]) {
        (self.schema, self.condition) = (schema, condition)
        self.assignments = assignments.sorted { $0.column < $1.column }
    }
}

extension BulkChange {
    /// The condition of the roots that it changes: of those with the same values, no version rises.
    public var affected: Condition {
        let differs = assignments.map { assignment -> Condition in
            let column = Operand.column(assignment.column)
            switch assignment.change {
            case .set(let value): return .compare(column, .notEqual, .literal(value))
            case .add: return .compare(column, .notEqual, .literal(.null))
            }
        }
        return .all([condition, .any(differs)])
    }

    /// For each addition, the condition of the roots that refuse it, with ``refusal(_:of:)``.
    public var refusing: [(column: Int, condition: Condition)] {
        assignments.compactMap { assignment in
            guard case .add(let amount, let least, let greatest, _) = assignment.change else { return nil }
            let column = Operand.column(assignment.column)
            let isPresent = Condition.compare(column, .notEqual, .literal(.null))
            guard let (first, last) = Value.summands(amount, of: least, greatest) else {
                return (assignment.column, .all([condition, isPresent]))
            }
            let isOutside: [Condition] = [
                .compare(column, .less, .literal(first)), .compare(column, .greater, .literal(last)),
            ]
            return (assignment.column, .all([condition, .any(isOutside)]))
        }
    }

    /// The error of an addition to a column of a root.
    public func refusal(_ column: Int, of id: RawID) -> PersistencyError {
        var reason = ""
        for assignment in assignments where assignment.column == column {
            if case .add(_, _, _, let valid) = assignment.change { reason = valid }
        }
        return schema.invalid(schema.columns[column].name, "must be \(reason), also after the update", id)
    }

    /// The changes of a root that it affects, for stores that keep storage objects.
    public func changes(of root: StorageObject) -> ObjectChanges {
        var changes = ObjectChanges()
        for assignment in assignments {
            let old = root.values[assignment.column]
            let new =
                switch assignment.change {
                case .set(let value): value
                case .add(let amount, _, _, _): old.adding(amount)
                }
            if new != old { changes.columns.append(ColumnChange(column: assignment.column, value: new)) }
        }
        return changes
    }
}
