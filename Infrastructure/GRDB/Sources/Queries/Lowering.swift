internal import GRDB
internal import LarderData
internal import LarderDomain

/// The table that a condition refers to, and its alias in the statement.
struct Scope {
    let table: StoredTable
    let alias: String

    func column(_ name: String) -> SQL { SQL(sql: "\(alias).\(name.quotedDatabaseIdentifier)") }
}

/// Translates conditions to SQL of GRDB, independently of the translation of `SQLiteStore`.
///
/// Negations are moved down to the comparisons. Above these are only conjunctions and disjunctions, in which SQL's third
/// truth value, unknown, is equivalent to false; a negated comparison is one that is not true.
struct Lowering {
    /// The rank of a text of words, for each connection.
    static let wordRank = DatabaseFunction("word_rank", argumentCount: 2, pure: true) { arguments in
        guard let words = String.fromDatabaseValue(arguments[0]), let starts = String.fromDatabaseValue(arguments[1])
        else { return nil }
        return WordText(.text(words)).rank(of: [starts])
    }

    private var aliases = 0
    private var depth = 0

    mutating func condition(
        _ condition: Condition, in scope: Scope, isNegated: Bool = false
    ) throws(PersistencyError) -> SQL {
        try enter()
        defer { depth -= 1 }
        let test: SQL
        switch condition {
        case .always(let value): return value != isNegated ? "TRUE" : "FALSE"
        case .not(let inner): return try self.condition(inner, in: scope, isNegated: !isNegated)
        case .and(let parts): return try list(parts, isConjunction: !isNegated, in: scope, isNegated)
        case .or(let parts): return try list(parts, isConjunction: isNegated, in: scope, isNegated)
        case .compare(let lhs, let comparison, let rhs):
            test = try comparison.test(operand(lhs, in: scope), operand(rhs, in: scope))
        case .isIn(let operand, let values): test = try self.operand(operand, in: scope).isIn(values)
        case .contains(let operand, let part):
            let text = try text(operand, in: scope)
            test = part.isEmpty ? "\(text.sql) IS NOT NULL" : "instr(\(text.sql), \(Term.bound(.text(part)))) > 0"
        case .hasPrefix(let operand, let prefix): test = try text(operand, in: scope).hasPrefix(prefix)
        case .links(let list, let id):
            let link = scope.table.links[list]
            test = """
                \(scope.column("id")) IN (SELECT \(sql: link.quotedOwner) FROM \(sql: link.quotedName) \
                WHERE \(sql: link.quotedTarget) = \(id.stored))
                """
        case .related: throw .unsupportedQuery("a semi-join, whose ids the manager reads first")
        case .anyChild(let list, let inner):
            let child = self.child(list, of: scope)
            test = """
                \(scope.column("id")) IN (SELECT \(child.column(scope.table.name)) \
                FROM \(sql: child.table.quotedName) AS \(sql: child.alias) \
                WHERE \(try self.condition(inner, in: child)))
                """
        }
        return isNegated ? "(\(test)) IS NOT TRUE" : test
    }

    mutating func operand(_ operand: Operand, in scope: Scope) throws(PersistencyError) -> Term {
        try enter()
        defer { depth -= 1 }
        switch operand {
        case .literal(let value): return Term(sql: Term.bound(value), type: ColumnType(of: value))
        case .id: return Term(sql: scope.column("id"), type: .id)
        case .column(let index):
            let column = scope.table.schema.columns[index]
            return Term(sql: scope.column(column.name), type: column.type.compared)
        case .linkCount(let list):
            let link = scope.table.links[list]
            return count(of: link.quotedName, link.quotedOwner, in: scope)
        case .childCount(let list):
            let (child, owner) = (scope.table.children[list], scope.table.quotedName)
            return count(of: child.quotedName, owner, in: scope)
        case .childSum(let list, let column, let condition):
            let child = self.child(list, of: scope)
            let value = child.column(child.table.schema.columns[column].name)
            let test = try self.condition(condition, in: child)
            return Term(
                sql: """
                    (SELECT coalesce(sum(\(value)), 0) FROM \(sql: child.table.quotedName) AS \(sql: child.alias) \
                    WHERE \(child.column(scope.table.name)) = \(scope.column("id")) AND \(test))
                    """, type: .integer)
        case .rank(let list, let starts):
            let child = self.child(list, of: scope)
            let words = child.column(child.table.schema.columns[0].name)
            return Term(
                sql: """
                    (SELECT coalesce(sum(word_rank(\(words), \(starts.joined()))), 0) \
                    FROM \(sql: child.table.quotedName) AS \(sql: child.alias) \
                    WHERE \(child.column(scope.table.name)) = \(scope.column("id")))
                    """, type: .integer)
        case .coalesce(let first, let second):
            return try self.operand(first, in: scope).coalesced(with: self.operand(second, in: scope))
        case .arithmetic(let lhs, let operation, let rhs):
            return try operation.applied(to: self.operand(lhs, in: scope), self.operand(rhs, in: scope))
        }
    }

    private func count(of table: String, _ owner: String, in scope: Scope) -> Term {
        Term(
            sql: "(SELECT count(*) FROM \(sql: table) WHERE \(sql: owner) = \(scope.column("id")))", type: .integer)
    }

    private mutating func text(_ operand: Operand, in scope: Scope) throws(PersistencyError) -> Term {
        let term = try self.operand(operand, in: scope)
        guard term.type == .text || term.type == nil else {
            throw .unsupportedQuery("a text searched for in a value that is no text")
        }
        return term
    }

    private mutating func child(_ list: Int, of scope: Scope) -> Scope {
        aliases += 1
        return Scope(table: scope.table.children[list], alias: "t\(aliases)")
    }

    private mutating func list(
        _ parts: [Condition], isConjunction: Bool, in scope: Scope, _ isNegated: Bool
    ) throws(PersistencyError) -> SQL {
        if parts.isEmpty { return isConjunction ? "TRUE" : "FALSE" }
        var tests: [SQL] = []
        for part in parts { tests.append(try condition(part, in: scope, isNegated: isNegated)) }
        return balanced(tests[...], isConjunction ? " AND " : " OR ")
    }

    /// A balanced tree, because SQLite limits the depth of an expression, and parses a chain as a deep one.
    private func balanced(_ tests: ArraySlice<SQL>, _ separator: String) -> SQL {
        if let only = tests.first, tests.count == 1 { return only }
        let middle = tests.startIndex + tests.count / 2
        return "(\(balanced(tests[..<middle], separator))\(sql: separator)\(balanced(tests[middle...], separator)))"
    }

    /// Enters a part of a condition. SQLite and the stack limit the depth of nesting.
    private mutating func enter() throws(PersistencyError) {
        depth += 1
        if depth > 200 { throw .unsupportedQuery("a condition that is nested more than 200 times") }
    }
}
