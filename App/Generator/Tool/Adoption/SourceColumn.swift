struct SourceColumn: Decodable {
    let name: String
    /// As it was declared: `VARCHAR(40)`, `numeric(10,2)`.
    let type: String
    let isNullable: Bool
    /// The expression of the default.
    let initial: String?
    let isGenerated: Bool
    /// The words of an enum of the database.
    var cases: [String]?
}

struct SourceIndex: Decodable {
    let name: String
    /// `nil` for an expression.
    let columns: [String?]
    let isUnique: Bool
    let isPartial: Bool
    /// Whether texts are compared otherwise than by their letters.
    let isFolded: Bool

    /// Whether it is a uniqueness that a mapping can declare.
    var isWhole: Bool { isUnique && !isPartial && !columns.contains(nil) }
}

struct SourceReference: Decodable {
    let columns: [String]
    let table: String
    /// Empty for the primary key of the table.
    let targets: [String]
    /// `CASCADE`, `SET NULL`, `NO ACTION`…
    let onDelete: String
    let onUpdate: String
}
