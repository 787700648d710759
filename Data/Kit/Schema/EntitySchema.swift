public import LarderDomain

/// The storage schema of one kind of entity, declared by a ``Mapping``; the source of tables, conditions, diffs and
/// migrations.
///
/// Columns and relationships are identified by index. Equality compares declarations.
public final class EntitySchema: Sendable {
    /// The name in the store: singular, lower case with underscores.
    public let name: String
    /// The columns, without id, version and the position of an owned object in its list.
    public let columns: [Column]
    /// The types of the columns: sufficient to read a row, and cheaper to copy than the columns.
    public let columnTypes: [ColumnType]
    /// The lists of owned objects.
    public let children: [ChildRelationship]
    /// The lists of links.
    public let links: [LinkRelationship]
    /// Groups of columns whose values are unique together, except in rows with a `null` among them. Only roots have
    /// such groups.
    public let uniques: [[Int]]
    /// Groups of columns to index for search or sort.
    public let indexes: [[Int]]
    /// The column with the id of a root's owner. Changes contain the owner, so that their visibility can be checked.
    public let ownerColumn: Int?
    /// The column with the position of a reader of the journal, which retains the commits after it; see
    /// ``JournalBounds/unread``.
    public let journalColumn: Int?
    /// What happened to earlier names and members; no part of the declaration.
    public let hints: SchemaHints
    /// Whether the entity or an owned object can have references or links.
    let refers: Bool
    /// Whether the entity or an owned object owns roots through references.
    let ownsTargets: Bool
    /// The indexes of the sealed columns.
    package let sealedColumns: [Int]
    /// The name of a sealed column of the entity or of an owned object, `entity.column`; `nil` if there is none.
    package let sealedColumn: String?
    /// Whether a row may be large, so that reading one may take long: it has blobs, other than sealed values of other
    /// types.
    package let mayBeLarge: Bool
    /// Whether mapping skips columns when it reads.
    @usableFromInline let hasDerivedColumns: Bool

    /// Creates a schema from its parts; usually done by ``Mapping``. `mayBeLarge` tells whether reading a row may take
    /// long; by default, whether a column has blobs.
    public init(
        name: String, columns: [Column], children: [ChildRelationship] = [], links: [LinkRelationship] = [],
        uniques: [[Int]] = [], indexes: [[Int]] = [], ownerColumn: Int? = nil, journalColumn: Int? = nil,
        hints: SchemaHints = SchemaHints(), mayBeLarge: Bool? = nil
    ) {
        (self.name, self.columns, self.children, self.links) = (name, columns, children, links)
        columnTypes = columns.map(\.type)
        self.uniques = uniques.withoutRepetitions
        self.indexes = indexes.withoutRepetitions
        (self.ownerColumn, self.journalColumn, self.hints) = (ownerColumn, journalColumn, hints)
        self.mayBeLarge = mayBeLarge ?? columns.contains { $0.type == .blob }
        sealedColumns = columns.indices.filter { columns[$0].sealing != nil }
        sealedColumn =
            columns.first { $0.sealing != nil }.map { "\(name).\($0.name)" }
            ?? children.lazy.compactMap(\.schema.sealedColumn).first
        hasDerivedColumns = columns.contains(where: \.isDerived)
        isDerived =
            columns.count == 1 && columns[0].isDerived && columns[0].type == .text && children.isEmpty && links.isEmpty
        refers =
            !links.isEmpty || columns.contains { $0.reference != nil } || children.contains { $0.schema.refers }
        ownsTargets =
            columns.contains { $0.reference?.isOwning == true } || children.contains { $0.schema.ownsTargets }
    }

    /// The schema in a set with other sealed columns; see ``SchemaHints/sealedWithOthers``.
    var sealingWithOthers: EntitySchema {
        if hints.sealedWithOthers.isEmpty { return self }
        let columns = columns.map { column in
            guard column.sealing == nil, hints.sealedWithOthers.contains(column.name) else { return column }
            var sealed = column
            sealed.sealing = .content
            return sealed
        }
        return EntitySchema(
            name: name, columns: columns, children: children, links: links, uniques: uniques, indexes: indexes,
            ownerColumn: ownerColumn, journalColumn: journalColumn, hints: hints, mayBeLarge: mayBeLarge)
    }

    /// Whether an entity is a single row, without owned objects and links.
    public var isFlat: Bool { children.isEmpty && links.isEmpty }

    /// Whether it is the schema of the words of a search, ``WordText``: a list of one object, with the id of its owner, which
    /// mapping computes, and which is queried, but not read back.
    public let isDerived: Bool

    /// Always `nil`.
    @available(*, deprecated, message: "a derived list has one object, with the id of its owner, and needs no key")
    public var derivedKey: Int? { nil }

    /// The list of the words of a search, if the mapping declares one.
    public var searchList: Int? { children.firstIndex { $0.schema.isDerived } }

    /// Whether a column has blobs.
    public var hasBlobs: Bool { columns.contains { $0.type == .blob } }

    /// The index of a column.
    public func index(ofColumn name: String) -> Int? {
        // By index, because a closure would receive a copy of each column.
        columns.indices.first { columns[$0].name == name }
    }

    @usableFromInline func invalid(_ field: String, _ reason: String, _ id: RawID) -> PersistencyError {
        .invalid(InvalidField(entity: name, id: id, field: field, reason: reason))
    }
}

extension EntitySchema: Equatable {
    /// Compares declarations.
    public static func == (lhs: EntitySchema, rhs: EntitySchema) -> Bool {
        lhs === rhs || lhs.declaration == rhs.declaration
    }

    /// The declaration without ``ownerColumn``, ``journalColumn`` and ``hints`` as text, which changes exactly when the declaration changes.
    public var declaration: String { declaration(withWords: true) }

    /// - Parameter withWords: Whether it contains the words of searches, which no representation has.
    package func declaration(withWords: Bool) -> String {
        let columns = columns.map { column in
            let reference = column.reference.map { " -> \($0.target) \($0.onDelete)" + ($0.isOwning ? " owned" : "") }
            let sealing = column.sealing.map { " sealed \($0)" } ?? ""
            let rest =
                (column.isNullable ? "?" : "") + (column.isDerived ? " derived" : "") + (reference ?? "") + sealing
            return "\(column.name): \(column.typeName)\(rest)" + (column.defaultValue.map { " = \($0)" } ?? "")
        }
        func named(_ groups: [[Int]]) -> String {
            groups.map { "(" + $0.map { self.columns[$0].name }.joined(separator: ", ") + ")" }.joined(separator: " ")
        }
        let parts =
            columns + links.map { "\($0.name): [\($0.target)] \($0.onDelete)" }
            + children.filter { withWords || !$0.schema.isDerived }.map {
                "\($0.name): {\($0.schema.declaration(withWords: withWords))}"
            }
        return "\(name) { " + parts.joined(separator: "; ") + " } unique \(named(uniques)) index \(named(indexes))"
    }
}

extension [[Int]] {
    /// The groups without duplicates, in order of first occurrence.
    fileprivate var withoutRepetitions: [[Int]] {
        var seen: Set<[Int]> = []
        return filter { seen.insert($0).inserted }
    }
}
