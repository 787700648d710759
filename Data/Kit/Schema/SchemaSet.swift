public import LarderDomain

/// The schemas that one store keeps together, checked against each other.
public struct SchemaSet: Sendable {
    /// The schemas of roots, in the order in which they were given.
    public let roots: [EntitySchema]
    private let byName: [String: EntitySchema]
    private let incomingByTarget: [String: [IncomingReference]]
    private let derivations: [String: Derivation]

    /// Computes the derived columns of a root's object anew, and those of what it owns; all else stays as it is.
    public typealias Derivation = @Sendable (StorageObject) throws(PersistencyError) -> StorageObject

    /// Checks and joins schemas.
    ///
    /// - Parameter derivations: How derived columns are computed, by the names of roots. With it, a store can fill a
    ///   derived column that it adds to objects which are there already; ``MapperSet`` knows it for all its roots.
    /// - Throws: `incompatible` when two have one name, a reference names no root, a group names no column, a required
    ///   reference is to be set to `null`, or a schema of owned objects has unique columns.
    public init(
        _ roots: [EntitySchema], derivations: [String: Derivation] = [:]
    ) throws(PersistencyError) {
        self.roots = roots
        self.derivations = derivations
        var byName: [String: EntitySchema] = [:]
        for schema in roots.flatMap(\.withDescendants) {
            guard byName.updateValue(schema, forKey: schema.name) == nil else {
                throw .incompatible("two schemas are named \(schema.name)")
            }
        }
        self.byName = byName
        let rootNames = Set(roots.map(\.name))
        var incoming: [String: [IncomingReference]] = [:]
        for root in roots {
            for reference in root.references {
                guard rootNames.contains(reference.target) else {
                    throw .incompatible("\(root.name) refers to \(reference.target), which is no root of the set")
                }
                incoming[reference.target, default: []].append(reference)
            }
        }
        incomingByTarget = incoming
        for schema in byName.values { try schema.check() }
    }

    /// The schema with a name, root or owned.
    public subscript(name: String) -> EntitySchema? { byName[name] }

    /// Every schema: each root followed by what it owns.
    public var all: [EntitySchema] { roots.flatMap(\.withDescendants) }

    /// How the derived columns of a root's objects are computed; `nil` where nobody said.
    public func derivation(of root: EntitySchema) -> Derivation? { derivations[root.name] }

    /// Everything that can refer to entities of a schema.
    public func references(to target: EntitySchema) -> [IncomingReference] { incomingByTarget[target.name] ?? [] }
}

/// A column or list of links through which aggregates refer to some root.
public struct IncomingReference: Sendable, Equatable {
    /// The member that refers.
    public enum Member: Sendable, Equatable {
        /// A column of the holder.
        case column(Int)
        /// A list of links of the holder.
        case link(Int)
    }

    /// The root of the aggregates that refer.
    public let root: EntitySchema
    /// The lists of owned objects that lead from the root to the holder; empty when the root itself refers.
    public let path: [Int]
    /// The schema of the object that refers: the root, or one that it owns.
    public let holder: EntitySchema
    /// The member that refers.
    public let member: Member
    /// The schema referred to.
    public let target: String
    /// What happens when a target is deleted.
    public let onDelete: DeleteRule

    /// The names of the lists that lead from the root to the holder, then the member's.
    public var names: [String] {
        var (schema, names) = (root, [String]())
        for list in path {
            names.append(schema.children[list].name)
            schema = schema.children[list].schema
        }
        return names + [memberName]
    }

    /// Whether references can be removed from the member: from lists of links, and from columns that may be `null`.
    public var isRemovable: Bool {
        if case .column(let index) = member { holder.columns[index].isNullable } else { true }
    }

    /// The member's name.
    public var memberName: String {
        switch member {
        case .column(let index): holder.columns[index].name
        case .link(let index): holder.links[index].name
        }
    }
}

extension EntitySchema {
    /// The schema, followed by the schemas that it owns at any depth.
    package var withDescendants: [EntitySchema] { [self] + children.flatMap(\.schema.withDescendants) }

    /// Every column and list of links through which aggregates of this root refer to roots.
    public var references: [IncomingReference] {
        func walk(_ holder: EntitySchema, _ path: [Int]) -> [IncomingReference] {
            func incoming(_ member: IncomingReference.Member, _ target: String, _ rule: DeleteRule) -> IncomingReference
            {
                IncomingReference(
                    root: self, path: path, holder: holder, member: member, target: target, onDelete: rule)
            }
            var found: [IncomingReference] = []
            for (index, column) in holder.columns.enumerated() {
                guard let reference = column.reference else { continue }
                found.append(incoming(.column(index), reference.target, reference.onDelete))
            }
            for (index, link) in holder.links.enumerated() {
                found.append(incoming(.link(index), link.target, link.onDelete))
            }
            for (index, child) in holder.children.enumerated() { found += walk(child.schema, path + [index]) }
            return found
        }
        return walk(self, [])
    }

    fileprivate func check() throws(PersistencyError) {
        let memberNames = columns.map(\.name) + links.map(\.name) + children.map(\.name)
        guard Set(memberNames).count == memberNames.count else {
            throw .incompatible("\(name) has two members with one name")
        }
        for group in uniques + indexes where group.isEmpty || !group.allSatisfy(columns.indices.contains) {
            throw .incompatible("\(name) groups a column that it does not have")
        }
        for column in columns {
            if let reference = column.reference {
                guard column.type == .id else { throw .incompatible("\(name).\(column.name) refers but holds no id") }
                if reference.onDelete == .remove, !column.isNullable {
                    throw .incompatible("\(name).\(column.name) cannot be set to null when its target is deleted")
                }
            }
            if let value = column.defaultValue, value != .null, !column.type.holds(value) {
                throw .incompatible("\(name).\(column.name) has a default of another type")
            }
        }
        for child in children {
            guard child.schema.uniques.isEmpty else {
                throw .incompatible("\(child.schema.name) is owned and cannot have unique columns")
            }
        }
    }
}
