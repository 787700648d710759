/// A table that becomes an entity: its name, and how each field is read from the columns.
struct AdoptedTable {
    /// How a column or list of the store is read.
    struct Origin {
        /// The name in the store.
        let column: String
        /// The columns of the table; for links, those of the joined table that name the owner.
        let columns: [String]
        /// The table to which it refers.
        var target: String?
        /// For links: the joined table, and its columns that name the targets.
        var joined: (table: String, targets: [String])?
    }

    let source: SourceTable
    let name: EntityName
    var references: [AdoptedReference] = []
    var links: [AdoptedLinks] = []
    var entity: Entity?
    var origins: [Origin] = []

    /// The tables that must be copied before, except those of references that are set later.
    var earlier: [String] {
        references.filter { !$0.isLater }.map(\.target) + links.filter { !$0.isLater }.map(\.target)
    }

    /// The columns and lists that are set when all entities exist.
    var later: [String] {
        references.filter(\.isLater).map { $0.column + "_id" } + links.filter(\.isLater).map(\.column)
    }
}
