/// How one kind of entity is stored: declared once, in Data, by a ``Mapping``; tables, conditions, diffs and
/// migrations derive from it.
///
/// Columns and relationships are known by their position. A schema is compared by what it declares.
public final class EntitySchema: Sendable {
    /// The name in the store: singular, lower case with underscores.
    public let name: String
    /// The columns, without id, version and what places an owned object in its list.
    public let columns: [Column]
    /// The columns' types: all that a row needs of them, and cheaper to take than the columns.
    public let columnTypes: [ColumnType]
    /// The lists of owned objects.
    public let children: [ChildRelationship]
    /// The lists of links.
    public let links: [LinkRelationship]
    /// Groups of columns whose values are unique together; rows with a `null` among them are not compared. Only roots have
    /// such groups.
    public let uniques: [[Int]]
    /// Groups of columns that are searched or sorted by.
    public let indexes: [[Int]]
    /// The column with the id of whoever a root belongs to; changes carry it, so that it can be judged who may see them.
    public let ownerColumn: Int?
    /// Whether it, or something that it owns, owns roots through references.
    let ownsTargets: Bool
    /// Whether mapping passes over columns when it reads.
    @usableFromInline let hasDerivedColumns: Bool

    /// Declares a schema from its parts; ``Mapping`` is the usual way to one.
    public init(
        name: String, columns: [Column], children: [ChildRelationship] = [], links: [LinkRelationship] = [],
        uniques: [[Int]] = [], indexes: [[Int]] = [], ownerColumn: Int? = nil
    ) {
        self.name = name
        self.columns = columns
        columnTypes = columns.map(\.type)
        self.children = children
        self.links = links
        self.uniques = uniques.withoutRepetitions
        self.indexes = indexes.withoutRepetitions
        self.ownerColumn = ownerColumn
        hasDerivedColumns = columns.contains(where: \.isDerived)
        ownsTargets =
            columns.contains { $0.reference?.isOwning == true } || children.contains { $0.schema.ownsTargets }
    }

    /// Whether an entity is one row: nothing owned, nothing linked.
    public var isFlat: Bool { children.isEmpty && links.isEmpty }

    /// Whether a row may be large, so that reading one is not short work.
    public var hasBlobs: Bool { columns.contains { $0.type == .blob } }

    /// The position of a column.
    public func index(ofColumn name: String) -> Int? { columns.firstIndex { $0.name == name } }
}

extension EntitySchema: Equatable {
    /// Whether two schemas declare the same.
    public static func == (lhs: EntitySchema, rhs: EntitySchema) -> Bool {
        lhs === rhs || lhs.declaration == rhs.declaration
    }

    /// The whole declaration as text, in a form that changes exactly when the declaration does.
    public var declaration: String {
        let columns = columns.map { column in
            let reference = column.reference.map { " -> \($0.target) \($0.onDelete)" + ($0.isOwning ? " owned" : "") }
            let rest = (column.isNullable ? "?" : "") + (column.isDerived ? " derived" : "") + (reference ?? "")
            return "\(column.name): \(column.type)\(rest)" + (column.defaultValue.map { " = \($0)" } ?? "")
        }
        func named(_ groups: [[Int]]) -> String {
            groups.map { "(" + $0.map { self.columns[$0].name }.joined(separator: ", ") + ")" }.joined(separator: " ")
        }
        let parts =
            columns + links.map { "\($0.name): [\($0.target)] \($0.onDelete)" }
            + children.map { "\($0.name): {\($0.schema.declaration)}" }
        return "\(name) { " + parts.joined(separator: "; ") + " } unique \(named(uniques)) index \(named(indexes))"
    }
}

extension [[Int]] {
    /// Each group once, in the place where it is first named.
    fileprivate var withoutRepetitions: [[Int]] {
        var seen: Set<[Int]> = []
        return filter { seen.insert($0).inserted }
    }
}
