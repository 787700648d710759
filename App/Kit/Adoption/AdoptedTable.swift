public import LarderData

/// A table of a former database, and how its rows become entities. `make adopt` writes the list of them.
public struct AdoptedTable: Sendable {
    /// Where the value of a column comes from.
    public enum Origin: Sendable, Equatable, ExpressibleByStringLiteral {
        /// A column of the table.
        case column(String)
        /// The id of the row of another table that has the values of these columns as its key.
        case reference(_ table: String, _ columns: [String])

        public init(stringLiteral column: String) { self = .column(column) }
    }

    /// The rows of a joined table, which become a list of links.
    public struct Links: Sendable {
        let table: String
        let owner: [String]
        let targets: [String]
        let target: String

        /// - Parameters:
        ///   - table: The joined table.
        ///   - owner: Its columns with the key of the row that gets the list.
        ///   - targets: Its columns with the key of the row to which a link leads.
        ///   - target: The table of that row.
        public init(_ table: String, owner: [String], targets: [String], of target: String) {
            (self.table, self.owner, self.targets, self.target) = (table, owner, targets, target)
        }
    }

    let mapper: any EntityMapper.Type
    let name: String
    let key: [String]
    let columns: [String: Origin]
    let links: [String: Links]
    let later: Set<String>

    /// - Parameters:
    ///   - mapper: The mapper of the entities.
    ///   - name: The table.
    ///   - key: The columns that identify a row. The id of its entity is derived from their values.
    ///   - columns: The origins of the columns of the store. Others are null.
    ///   - links: The origins of the lists of links.
    ///   - later: The columns and lists that are set when all entities exist, because tables refer to each other.
    public init(
        _ mapper: any EntityMapper.Type, from name: String, key: [String], columns: [String: Origin],
        links: [String: Links] = [:], later: Set<String> = []
    ) {
        (self.mapper, self.name, self.key) = (mapper, name, key)
        (self.columns, self.links, self.later) = (columns, links, later)
    }

    var schema: EntitySchema { mapper.schema }
}
