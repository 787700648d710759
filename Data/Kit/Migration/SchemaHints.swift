internal import LarderDomain

/// Declarations next to a schema: what happened to stored data, so that a migration loses none to a guess, and which
/// columns are sealed in a set with other sealed columns.
public struct SchemaHints: Sendable {
    /// The former names of the entity, the latest first.
    public var formerNames: [String]
    /// The former names of columns and lists, the latest first, by their current names.
    public var formerMembers: [String: [String]]
    /// The columns and lists that were removed, by their last names. Their data is deleted.
    public var dropped: [String]
    /// The columns of a root that are sealed as ``Sealing/content`` if another column of the set is sealed.
    public var sealedWithOthers: Set<String> = []
    /// The derived columns and lists that contain nothing of sealed columns.
    public var unsealed: Set<String> = []

    /// Creates hints; without arguments, none.
    public init(formerNames: [String] = [], formerMembers: [String: [String]] = [:], dropped: [String] = []) {
        (self.formerNames, self.formerMembers, self.dropped) = (formerNames, formerMembers, dropped)
    }
}

extension EntitySchema {
    /// Throws `incompatible` if a hint contradicts the schema.
    func checkHints() throws(PersistencyError) {
        let members = Set(columns.map(\.name) + links.map(\.name) + children.map(\.name))
        if let dropped = hints.dropped.first(where: members.contains) {
            throw .incompatible("\(name).\(dropped) is declared as dropped, and is declared")
        }
        for (member, former) in hints.formerMembers {
            guard members.contains(member) else {
                throw .incompatible("\(name).\(member) has a former name, and is not declared")
            }
            if former.contains(member) { throw .incompatible("\(name).\(member) is renamed from itself") }
        }
        if hints.formerNames.contains(name) { throw .incompatible("\(name) is renamed from itself") }
    }
}
