internal import LarderData
internal import LarderDomain

/// The table that an operand or a condition refers to, and the table's alias in the statement.
struct SQLScope {
    let table: SQLTable
    let alias: String
    /// The alias of the words of a search that are joined to the rows, if any.
    var words: String?

    var schema: EntitySchema { table.schema }
}

struct SQLOperand {
    let text: String
    /// `nil` for a bare `null`.
    let kind: SQLKind?
    /// Whether it can be `null` while it is defined.
    let isNullable: Bool
    /// Whether it can be undefined, as the result of arithmetic can.
    let isPartial: Bool
    /// Whether it is a column of which an index has only the start.
    var isIndexedByStart = false
}

extension SQLBuilder {
    mutating func operand(_ operand: Operand, in scope: SQLScope) throws(PersistencyError) -> SQLOperand {
        try descend()
        defer { ascend() }
        switch operand {
        case .literal(.null): return total("NULL", nil, isNullable: true)
        case .literal(let value):
            return total(bind(value), SQLKind(value))
        case .id: return total(column(scope.alias, "id"), .id)
        case .column(let index):
            let declared = scope.schema.columns[index]
            let kind = SQLKind(declared.type)
            var operand = total(column(scope.alias, declared.name), kind, isNullable: declared.isNullable)
            operand.isIndexedByStart =
                dialect.start(of: "", kind) != nil
                && (scope.schema.indexes + scope.schema.uniques).contains { $0.contains(index) }
            return operand
        case .linkCount(let index):
            let link = scope.table.links[index]
            return total(count(of: link.name, owner: link.owner, in: scope), .integer)
        case .childCount(let index):
            return total(count(of: scope.table.children[index].name, owner: scope.table.name, in: scope), .integer)
        case .childSum(let index, let column, let condition):
            let child = SQLScope(table: scope.table.children[index], alias: alias())
            let test = try self.condition(condition, in: child)
            let (value, owner) = (
                self.column(child.alias, child.schema.columns[column].name), self.column(child.alias, scope.table.name)
            )
            return total(
                "(SELECT \(dialect.sum(value)) FROM \(SQLText.quoted(child.table.name)) AS \(child.alias) WHERE "
                    + "\(owner) = \(self.column(scope.alias, "id")) AND \(test))", .integer)
        case .rank(let index, let starts): return total(rank(starts, ofList: index, in: scope), .integer)
        case .coalesce(let first, let second):
            let value = try self.operand(first, in: scope)
            // A partial operand is `null` only if it is undefined, and then the result is undefined too.
            if value.isPartial || !value.isNullable { return value }
            let other = try self.operand(second, in: scope)
            return try coalesce(value, other)
        case .arithmetic(let lhs, let operation, let rhs):
            let (left, right) = (try self.operand(lhs, in: scope), try self.operand(rhs, in: scope))
            let kind = left.kind ?? right.kind ?? .integer
            guard kind == right.kind ?? kind, kind == .integer || (kind == .real && operation != .remainder) else {
                throw .unsupportedQuery("\(operation.rawValue) of values that are not numbers of one type")
            }
            let text = dialect.arithmetic(left.text, operation, right.text, kind)
            return SQLOperand(text: text, kind: kind, isNullable: false, isPartial: true)
        }
    }

    private func total(_ text: String, _ kind: SQLKind?, isNullable: Bool = false) -> SQLOperand {
        SQLOperand(text: text, kind: kind, isNullable: isNullable, isPartial: false)
    }

    private func count(of table: String, owner: String, in scope: SQLScope) -> String {
        "(SELECT count(*) FROM \(SQLText.quoted(table)) WHERE \(SQLText.quoted(owner)) = \(column(scope.alias, "id")))"
    }

    private func coalesce(_ first: SQLOperand, _ second: SQLOperand) throws(PersistencyError) -> SQLOperand {
        guard let kind = first.kind else { return second }
        guard second.kind == nil || second.kind == kind else {
            throw .unsupportedQuery("a default of another type, \(second.kind?.rawValue ?? "") for \(kind.rawValue)")
        }
        return SQLOperand(
            text: "coalesce(\(first.text), \(second.text))", kind: kind, isNullable: second.isNullable,
            isPartial: second.isPartial)
    }
}
