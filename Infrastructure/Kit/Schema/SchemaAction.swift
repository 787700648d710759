/// One change of the shape of stored data.
package enum SchemaAction: Sendable {
    case renameEntity(String, to: String)
    /// Renames a column or a list of links.
    case renameMember(SchemaItem, to: String)
    /// Removes an entity with everything that it owns, a column, a list of links, or a group.
    case drop(SchemaItem)
    /// Adds an entity with its members, or members of one entity.
    case add([SchemaItem])
    /// Changes the declarations of columns and links of one entity: permits `null`, or has another delete rule.
    case replace([SchemaItem])

    /// The items that it adds.
    package var added: [SchemaItem] { if case .add(let items) = self { items } else { [] } }

    /// Whether programs of the recorded version can still use the store afterwards.
    var isAdditive: Bool {
        switch self {
        case .add: true
        case .drop(let item): item.kind == .index
        default: false
        }
    }

    /// A description for users, one for each changed item.
    var descriptions: [String] {
        switch self {
        case .renameEntity(let old, let new): ["rename \(old) to \(new)"]
        case .renameMember(let item, let new): ["rename \(item.entity).\(item.name) to \(new)"]
        case .drop(let item): ["drop \(item)"]
        case .add(let items):
            // The members of a new entity are implied.
            (items.contains { $0.kind == .entity } ? items.filter { $0.kind == .entity } : items).map { "add \($0)" }
        case .replace(let items): items.map { "change \($0)" }
        }
    }
}
