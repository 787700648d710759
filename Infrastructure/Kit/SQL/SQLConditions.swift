internal import LarderData
internal import LarderDomain

/// Translates conditions to SQL, with the semantics of the interpreter in Data (`Condition.holds(for:)`).
///
/// SQL has a third truth value, unknown. In a `WHERE` clause, unknown is equivalent to false, and the plain form can
/// use indexes; under `NOT`, each part must be either true or false (`exactly`).
extension SQLBuilder {
    mutating func condition(
        _ condition: Condition, in scope: SQLScope, exactly: Bool = false
    ) throws(PersistencyError) -> String {
        try descend()
        defer { ascend() }
        switch condition {
        case .always(let value): return SQLText.constant(value)
        case .compare(let lhs, let comparison, let rhs):
            let (left, right) = (try operand(lhs, in: scope), try operand(rhs, in: scope))
            return try compare(left, comparison, right, exactly: exactly)
        case .isIn(let lhs, let values):
            return try membership(lhs, values, in: scope, exactly: exactly)
        case .contains(let lhs, let part):
            let text = try self.text(lhs, in: scope).text
            let test = part.isEmpty ? "\(text) IS NOT NULL" : dialect.contains(text, bind(.text(part)))
            return exactly ? SQLText.isTrue(test) : test
        case .hasPrefix(let lhs, let prefix):
            let test = hasPrefix(try text(lhs, in: scope), prefix)
            return exactly ? SQLText.isTrue(test) : test
        case .links(let index, let id):
            let link = scope.table.links[index]
            let holders = "SELECT \(SQLText.quoted(link.owner)) FROM \(SQLText.quoted(link.name))"
            return "\(column(scope.alias, "id")) IN (\(holders) WHERE \(SQLText.quoted(link.targetColumn)) = "
                + "\(bind(.id(id))))"
        case .anyChild(let index, let inner):
            if let (list, starts, _) = searched([condition], in: scope) {
                return hasWords(starts, ofList: list, in: scope)
            }
            return try anyChild(of: index, inner, in: scope)
        case .related(let roots, let inner): return try related(roots, inner, in: scope, exactly)
        case .and(let parts):
            guard let (index, starts, others) = searched(parts, in: scope) else {
                return try list(parts, " AND ", none: SQLText.constant(true), in: scope, exactly)
            }
            let test = hasWords(starts, ofList: index, in: scope)
            return others.isEmpty
                ? test : "(\(test) AND \(try self.condition(.and(others), in: scope, exactly: exactly)))"
        case .or(let parts): return try list(parts, " OR ", none: SQLText.constant(false), in: scope, exactly)
        case .not(let inner): return "(NOT \(try self.condition(inner, in: scope, exactly: true)))"
        }
    }

    /// A test whether an owned row satisfies a condition.
    private mutating func anyChild(
        of index: Int, _ inner: Condition, in scope: SQLScope
    ) throws(PersistencyError) -> String {
        let child = SQLScope(table: scope.table.children[index], alias: alias())
        let test = try condition(inner, in: child)
        // Not `EXISTS`, which SQLite evaluates for each root, even if an index finds the owned rows.
        return "\(column(scope.alias, "id")) IN (SELECT \(column(child.alias, scope.table.name)) FROM "
            + "\(SQLText.quoted(child.table.name)) AS \(child.alias) WHERE \(test))"
    }

    /// A test whether a root refers to one that satisfies a condition, or one refers to it. Not `EXISTS`, for the same
    /// reason.
    private mutating func related(
        _ roots: RelatedRoots, _ inner: Condition, in scope: SQLScope, _ exactly: Bool
    ) throws(PersistencyError) -> String {
        let other = SQLScope(table: SQLTable(roots.schema), alias: alias())
        let test = try condition(inner, in: other)
        let source = "\(SQLText.quoted(other.table.name)) AS \(other.alias)"
        let (id, otherID) = (column(scope.alias, "id"), column(other.alias, "id"))
        switch (roots.member, roots.isIncoming) {
        case (.column(let index), false):
            let reference = column(scope.alias, scope.schema.columns[index].name)
            let found = "\(reference) IN (SELECT \(otherID) FROM \(source) WHERE \(test))"
            return exactly ? "(\(reference) IS NOT NULL AND \(found))" : found
        case (.column(let index), true):
            let reference = column(other.alias, other.schema.columns[index].name)
            // A list with `NULL` contains no other value for certain.
            return "\(id) IN (SELECT \(reference) FROM \(source) WHERE \(reference) IS NOT NULL AND \(test))"
        case (.link(let index), let isIncoming):
            let link = (isIncoming ? other : scope).table.links[index]
            let (owner, target) = (SQLText.quoted(link.owner), SQLText.quoted(link.targetColumn))
            let (own, others) = isIncoming ? (target, owner) : (owner, target)
            return "\(id) IN (SELECT \(own) FROM \(SQLText.quoted(link.name)) WHERE \(others) IN "
                + "(SELECT \(otherID) FROM \(source) WHERE \(test)))"
        }
    }

    private mutating func list(
        _ parts: [Condition], _ separator: String, none: String, in scope: SQLScope, _ exactly: Bool
    ) throws(PersistencyError) -> String {
        var texts: [String] = []
        for part in parts { texts.append(try condition(part, in: scope, exactly: exactly)) }
        return texts.isEmpty ? none : balanced(texts[...], separator)
    }

    /// A balanced tree, because databases limit the depth of an expression and parse a long chain as a deep one.
    private func balanced(_ texts: ArraySlice<String>, _ separator: String) -> String {
        guard texts.count > 32 else { return "(" + texts.joined(separator: separator) + ")" }
        let middle = texts.startIndex + texts.count / 2
        return "(" + balanced(texts[..<middle], separator) + separator + balanced(texts[middle...], separator) + ")"
    }

    private mutating func text(_ operand: Operand, in scope: SQLScope) throws(PersistencyError) -> SQLOperand {
        let operand = try self.operand(operand, in: scope)
        guard operand.kind == .text || operand.kind == nil else {
            throw .unsupportedQuery("a text searched for in \(operand.kind?.rawValue ?? "")")
        }
        return operand
    }

    private func compare(
        _ lhs: SQLOperand, _ comparison: Comparison, _ rhs: SQLOperand, exactly: Bool
    ) throws(PersistencyError) -> String {
        if let left = lhs.kind, let right = rhs.kind, left != right {
            throw .unsupportedQuery("\(left.rawValue) \(comparison.rawValue) \(right.rawValue)")
        }
        let mayBeNull = lhs.isNullable || rhs.isNullable
        let test =
            switch comparison {
            case .equal where dialect.prefersEquality && !exactly && !(lhs.isNullable && rhs.isNullable):
                withStarts(lhs, .equal, rhs)
            case .equal where mayBeNull: dialect.areSame(lhs.text, rhs.text)
            case .notEqual where mayBeNull: dialect.differ(lhs.text, rhs.text)
            case .equal: withStarts(lhs, .equal, rhs)
            case .notEqual: "\(lhs.text) <> \(rhs.text)"
            case _ where exactly && mayBeNull: SQLText.isTrue("\(lhs.text) \(comparison.rawValue) \(rhs.text)")
            default: withStarts(lhs, comparison, rhs)
            }
        return answered([lhs, rhs], test)
    }

    /// A comparison, with a comparison of the starts of values that an index has.
    func withStarts(_ lhs: SQLOperand, _ comparison: Comparison, _ rhs: SQLOperand) -> String {
        let test = "\(lhs.text) \(comparison.rawValue) \(rhs.text)"
        guard lhs.isIndexedByStart || rhs.isIndexedByStart, let kind = lhs.kind, rhs.kind == kind,
            let left = dialect.start(of: lhs.text, kind), let right = dialect.start(of: rhs.text, kind)
        else { return test }
        let operation: Comparison =
            switch comparison {
            case .less: .lessOrEqual
            case .greater: .greaterOrEqual
            default: comparison
            }
        return "(\(left) \(operation.rawValue) \(right) AND \(test))"
    }

    /// A test that is false if an operand is undefined.
    func answered(_ operands: [SQLOperand], _ test: String) -> String {
        let guards = operands.filter(\.isPartial).map { dialect.isDefined($0.text, $0.kind ?? .integer) }
        return guards.isEmpty ? test : "(" + (guards + [test]).joined(separator: " AND ") + ")"
    }
}
