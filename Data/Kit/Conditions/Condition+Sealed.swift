package import LarderDomain

extension Condition {
    /// Replaces a comparison of a sealed column with a value that is not `null`.
    package typealias SealedComparison = (_ column: Int, _ value: Value, EntitySchema) -> (column: Int, value: Value)

    /// The condition with each use of a sealed column replaced.
    ///
    /// - Parameter replacement: The column and the value that are compared instead.
    /// - Throws: `unsupportedQuery`, with the entity and the column, for a use that ``Sealing`` does not permit.
    package func replacingSealed(
        in schema: EntitySchema, by replacement: SealedComparison
    ) throws(PersistencyError) -> Condition {
        if schema.sealedColumn == nil { return self }
        switch self {
        // The condition on other roots was checked in their schema.
        case .always, .links, .related: return self
        case .compare(.column(let column), let comparison, .literal(let value)),
            .compare(.literal(let value), let comparison, .column(let column)):
            guard schema.columns[column].sealing != nil else { return self }
            guard [.equal, .notEqual].contains(comparison) else { throw schema.sealedRefusal(of: column) }
            let (replaced, hash) = try schema.replaced(column, [value], replacement)
            return .compare(.column(replaced), comparison, .literal(hash.first ?? .null))
        case .isIn(.column(let column), let values):
            guard schema.columns[column].sealing != nil else { return self }
            let (replaced, hashes) = try schema.replaced(column, values, replacement)
            return .isIn(.column(replaced), hashes)
        case .compare(let lhs, _, let rhs):
            try schema.checkNotSealed(lhs)
            try schema.checkNotSealed(rhs)
            return self
        case .isIn(let operand, _), .contains(let operand, _), .hasPrefix(let operand, _):
            try schema.checkNotSealed(operand)
            return self
        case .anyChild(let list, let condition):
            let child = schema.children[list].schema
            return .anyChild(relationship: list, try condition.replacingSealed(in: child, by: replacement))
        case .and(let parts):
            return .and(
                try parts.map { (part) throws(PersistencyError) in
                    try part.replacingSealed(in: schema, by: replacement)
                })
        case .or(let parts):
            return .or(
                try parts.map { (part) throws(PersistencyError) in
                    try part.replacingSealed(in: schema, by: replacement)
                })
        case .not(let condition): return .not(try condition.replacingSealed(in: schema, by: replacement))
        }
    }

    /// Throws `unsupportedQuery` for a use of a sealed column that ``Sealing`` does not permit.
    func checkSealed(in schema: EntitySchema) throws(PersistencyError) {
        _ = try replacingSealed(in: schema) { column, value, _ in (column, value) }
    }
}

extension EntitySchema {
    /// Throws `unsupportedQuery` for an operand that is computed from a sealed column.
    package func checkNotSealed(_ operand: Operand) throws(PersistencyError) {
        switch operand {
        case .literal, .id, .linkCount, .childCount, .rank: break
        case .column(let index): if columns[index].sealing != nil { throw sealedRefusal(of: index) }
        case .coalesce(let first, let second), .arithmetic(let first, _, let second):
            try checkNotSealed(first)
            try checkNotSealed(second)
        case .childSum(let list, _, _):
            guard let column = children[list].schema.sealedColumn else { return }
            throw .unsupportedQuery("\(column) is sealed: a query cannot add values of its list")
        }
    }

    fileprivate func replaced(
        _ column: Int, _ values: Set<Value>, _ replacement: Condition.SealedComparison
    ) throws(PersistencyError) -> (column: Int, values: Set<Value>) {
        if values.subtracting([.null]).isEmpty { return (column, values) }
        guard columns[column].sealing == .equality else { throw sealedRefusal(of: column) }
        var (other, others) = (column, values.intersection([.null]))
        for value in values where value != .null {
            let replaced = replacement(column, value, self)
            other = replaced.column
            others.insert(replaced.value)
        }
        return (other, others)
    }

    fileprivate func sealedRefusal(of column: Int) -> PersistencyError {
        let permitted = columns[column].sealing == .equality ? "nil and for equality with values" : "nil"
        return .unsupportedQuery(
            "\(name).\(columns[column].name) is sealed: a query can only test it for \(permitted)")
    }
}
