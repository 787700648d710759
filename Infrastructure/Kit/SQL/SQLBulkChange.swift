package import LarderData
package import LarderDomain

/// The statements of a bulk update, in the order in which they run.
package struct SQLBulkChange {
    /// Each selects the id and version of a root that refuses the addition to a column, if there is one.
    package let refusing: [(column: Int, query: SQLQuery)]
    /// Changes the roots.
    package let update: SQLQuery
    /// Each selects the ids of two roots with the same values of a unique group, if there are two.
    package let duplicates: [(group: [Int], query: SQLQuery)]

    package init(
        _ change: BulkChange, _ plan: SQLTablePlan, _ dialect: any SQLDialect
    ) throws(PersistencyError) {
        let table = plan.table
        var refusing: [(column: Int, query: SQLQuery)] = []
        for (column, condition) in change.refusing {
            var request = ReadRequest(plan.schema, where: condition, limit: 1)
            request.content = .versions
            refusing.append((column, try SQLReads.page(request, table, dialect)))
        }
        self.refusing = refusing
        update = try Self.update(change, table, dialect)
        let changed = Set(change.assignments.map(\.column))
        duplicates = table.schema.uniques.filter { !changed.isDisjoint(with: $0) }.map { group in
            let name = SQLText.quoted(table.name)
            let text =
                "SELECT this.\"id\", other.\"id\" FROM \(name) AS this JOIN \(name) AS other "
                + "ON \(table.areSame(group, dialect)) LIMIT 1"
            return (group, SQLQuery(text: text, values: []))
        }
    }

    private static func update(
        _ change: BulkChange, _ table: SQLTable, _ dialect: any SQLDialect
    ) throws(PersistencyError) -> SQLQuery {
        var builder = SQLBuilder(dialect)
        var assignments = ["\"version\" = \"version\" + 1"]
        for assignment in change.assignments {
            let column = table.schema.columns[assignment.column]
            let name = SQLText.quoted(column.name)
            switch assignment.change {
            case .set(.null): assignments.append("\(name) = NULL")
            case .set(let value): assignments.append("\(name) = \(builder.bind(value))")
            case .add(let amount, _, _, _):
                let number = builder.bind(.integer(amount))
                let sum = column.type == .day ? dialect.day(name, number) : "\(name) + \(number)"
                assignments.append("\(name) = \(sum)")
            }
        }
        // The name of the table, because older versions of SQLite have no alias here.
        let scope = SQLScope(table: table, alias: SQLText.quoted(table.name))
        let test = try builder.condition(change.affected, in: scope)
        return builder.query(
            "UPDATE \(SQLText.quoted(table.name)) SET \(assignments.joined(separator: ", ")) WHERE \(test)")
    }
}

extension BulkChange {
    /// The error of two roots with the same values of a unique group.
    package func duplicate(_ group: [Int], existing id: RawID) -> PersistencyError {
        .duplicate(Duplicate(entity: schema.name, columns: group.map { schema.columns[$0].name }, existing: id))
    }
}
