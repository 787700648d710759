internal import LarderData
internal import LarderDomain

/// The tables of a schema set, and their fixed statements, whose texts are built once.
final class SQLPlan: Sendable {
    let schemas: SchemaSet
    let roots: [SQLTablePlan]
    private let byName: [String: SQLTablePlan]
    private let numbering: SQLNumbering

    /// - Parameter other: A plan whose statements are used on the same connections.
    /// - Throws: `incompatible` when two tables, indexes or columns would have one name.
    init(_ schemas: SchemaSet, beside other: SQLPlan? = nil) throws(PersistencyError) {
        let tables = schemas.roots.map { SQLTable($0) }
        try SQLTable.checkNames(tables.flatMap(\.withDescendants), .sqlite)
        var numbering = other?.numbering ?? SQLNumbering()
        roots = tables.map { SQLTablePlan($0, &numbering) }
        self.numbering = numbering
        byName = Dictionary(roots.flatMap(\.withDescendants).map { ($0.schema.name, $0) }) { first, _ in first }
        self.schemas = schemas
    }

    /// The plan of a root's schema, found by identity or by equality.
    func root(_ schema: EntitySchema) throws(PersistencyError) -> SQLTablePlan {
        // For usual numbers of roots, this costs less than hashing.
        for root in roots where root.schema === schema { return root }
        guard let plan = byName[schema.name], plan.table.owner == nil, plan.schema == schema else {
            throw .unknownEntity(schema.name)
        }
        return plan
    }

    /// The plan of a schema by name, root or owned.
    subscript(name: String) -> SQLTablePlan? { byName[name] }
}

/// Numbers fixed statements, so that a connection finds a prepared one without its text.
struct SQLNumbering: Sendable {
    /// Lower numbers are reserved for the statements of transactions.
    private var next = 8

    mutating func statement(_ text: String) -> SQLStatementText {
        defer { next += 1 }
        return SQLStatementText(number: next, text: text)
    }
}

/// A statement whose text never changes.
struct SQLStatementText: Sendable {
    /// Its number within a connection, from 0.
    let number: Int
    let text: String
}
