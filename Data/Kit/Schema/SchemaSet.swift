public import LarderDomain

/// The schemas of one store, validated together.
public struct SchemaSet: Sendable {
    /// The schemas of roots, in declaration order.
    public let roots: [EntitySchema]
    private let byName: [String: EntitySchema]
    private let incomingByTarget: [String: [IncomingReference]]
    private let derivations: [String: Derivation]
    /// A sealed column, `entity.column`; `nil` if there is none.
    package let sealedColumn: String?
    /// The roots that retain commits of the journal; see ``EntitySchema/journalColumn``.
    package let journalReaders: [EntitySchema]
    /// The version of the schemas, and the steps that lead to it.
    public let evolution: SchemaEvolution

    /// Recomputes the derived columns of an aggregate and leaves everything else unchanged.
    public typealias Derivation = @Sendable (StorageObject) throws(PersistencyError) -> StorageObject

    /// Validates and combines schemas.
    ///
    /// - Parameters:
    ///   - roots: The schemas of the roots; those of owned objects follow from them.
    ///   - derivations: The functions that compute derived columns, by the names of roots. With them, a store can fill
    ///     a new derived column of existing objects; ``MapperSet`` provides them for all its roots.
    ///   - evolution: The version of the schemas, and the steps to it.
    /// - Throws: `incompatible` for a duplicate name, a reference that is not the id of a root, an invalid group, a
    ///   default of another type, a required reference with the rule `remove`, unique columns of an owned schema, a use
    ///   of a sealed column that ``Sealing`` does not permit, a derived column next to a sealed one that is neither sealed
    ///   nor declared as unsealed, or hints and steps that contradict the schemas.
    public init(
        _ roots: [EntitySchema], derivations: [String: Derivation] = [:], evolution: SchemaEvolution = .initial
    ) throws(PersistencyError) {
        sealedColumn = roots.lazy.compactMap(\.sealedColumn).first
        let roots = sealedColumn == nil ? roots : roots.map(\.sealingWithOthers)
        self.roots = roots
        journalReaders = roots.filter { $0.journalColumn != nil }
        (self.derivations, self.evolution) = (derivations, evolution)
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
                    throw .incompatible("\(root.name) refers to \(reference.target), which is not a root of the set")
                }
                incoming[reference.target, default: []].append(reference)
            }
        }
        incomingByTarget = incoming
        for schema in byName.values { try schema.check() }
        try evolution.check(against: self)
    }

    /// The set with further roots, which may refer to those of this set.
    ///
    /// - Throws: As ``init(_:derivations:evolution:)``.
    package func adding(_ others: [EntitySchema]) throws(PersistencyError) -> SchemaSet {
        others.isEmpty ? self : try SchemaSet(roots + others, derivations: derivations, evolution: evolution)
    }

    /// Refuses to read the plain values of a sealed store, because its base offers no snapshot.
    ///
    /// - Parameter product: What would be made of them: `backup`.
    package func checkUnsealed(_ product: String) throws(PersistencyError) {
        if sealedColumn == nil { return }
        throw .incompatible("the base of the sealed store offers no snapshot: its \(product) would not be sealed")
    }

    /// The schema with a name, root or owned.
    public subscript(name: String) -> EntitySchema? { byName[name] }

    /// Every schema: each root followed by its owned schemas.
    public var all: [EntitySchema] { roots.flatMap(\.withDescendants) }

    /// The function that computes the derived columns of a root's objects, if any.
    public func derivation(of root: EntitySchema) -> Derivation? { derivations[root.name] }

    /// All references to entities of a schema.
    public func references(to target: EntitySchema) -> [IncomingReference] { incomingByTarget[target.name] ?? [] }
}

/// A column or list of links through which aggregates refer to a root.
public struct IncomingReference: Sendable, Equatable {
    /// The referring member.
    public enum Member: Sendable, Equatable {
        /// A column of the holder.
        case column(Int)
        /// A list of links of the holder.
        case link(Int)
    }

    /// The root schema of the referring aggregates.
    public let root: EntitySchema
    /// The indexes of the owned lists from the root to the holder; empty if the root itself refers.
    public let path: [Int]
    /// The schema of the referring object: the root or an owned schema.
    public let holder: EntitySchema
    /// The referring member.
    public let member: Member
    /// The name of the referenced schema.
    public let target: String
    /// The effect of the deletion of a target.
    public let onDelete: DeleteRule

    /// The names of the owned lists from the root to the holder, and of the member.
    public var names: [String] {
        var (schema, names) = (root, [String]())
        for list in path {
            names.append(schema.children[list].name)
            schema = schema.children[list].schema
        }
        return names + [memberName]
    }

    /// Whether references can be removed from the member: true for lists of links and nullable columns.
    public var isRemovable: Bool {
        if case .column(let index) = member { holder.columns[index].isNullable } else { true }
    }

    /// Compares the names and the rule, and not the declarations of the schemas: a decorator may store other columns.
    public static func == (lhs: IncomingReference, rhs: IncomingReference) -> Bool {
        lhs.root.name == rhs.root.name && lhs.path == rhs.path && lhs.holder.name == rhs.holder.name
            && lhs.member == rhs.member && lhs.target == rhs.target && lhs.onDelete == rhs.onDelete
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
    /// The schema and its owned schemas at any depth.
    package var withDescendants: [EntitySchema] { [self] + children.flatMap(\.schema.withDescendants) }

    /// All references from aggregates of this root to roots.
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
            throw .incompatible("\(name) has two members with the same name")
        }
        for group in uniques + indexes where group.isEmpty || !group.allSatisfy(columns.indices.contains) {
            throw .incompatible("\(name) groups a column that it does not have")
        }
        for column in columns {
            if let reference = column.reference {
                guard column.type == .id else { throw .incompatible("\(name).\(column.name) refers but is not an id") }
                if reference.onDelete == .remove, !column.isNullable {
                    throw .incompatible("\(name).\(column.name) cannot be set to null when its target is deleted")
                }
            }
            if let value = column.defaultValue, value != .null, !column.type.accepts(value) {
                if column.isDerived {
                    throw .incompatible(
                        "\(name).\(column.name): a value object has only columns, and only columns of String and "
                            + "String? are folded")
                }
                throw .incompatible("\(name).\(column.name) has a default of another type")
            }
            if let scale = column.scale, !(0...ExactDecimal.maximumScale).contains(scale) || column.type != .integer {
                throw .incompatible("\(name).\(column.name) has the scale \(scale): use 0 to 9, for integers")
            }
            if let use = sealedUse(of: column) {
                throw .incompatible("\(name).\(column.name) is sealed and cannot \(use)")
            }
        }
        for child in children {
            guard child.schema.uniques.isEmpty else {
                throw .incompatible("\(child.schema.name) is owned and cannot have unique columns")
            }
        }
        try checkDerivations()
        try checkHints()
    }

    /// A derived member is a function of the whole entity, so it may contain parts of each sealed column.
    private func checkDerivations() throws(PersistencyError) {
        guard let sealedColumn else { return }
        for column in columns where column.isDerived && column.sealing == nil && !hints.unsealed.contains(column.name) {
            throw .incompatible(
                "\(name).\(column.name) is derived, and \(sealedColumn) is sealed: seal \(column.name) with equality, "
                    + "or declare it as unsealed if it contains nothing of sealed columns")
        }
        for list in children
        where list.schema.isDerived && list.schema.sealedColumn == nil && !hints.unsealed.contains(list.name) {
            throw .incompatible(
                "\(name).\(list.name) is a search, and \(sealedColumn) is sealed: declare \(list.name) as unsealed if "
                    + "it contains nothing of sealed columns")
        }
    }

    /// A use of a column that its sealing does not permit.
    private func sealedUse(of column: Column) -> String? {
        guard let sealing = column.sealing else { return nil }
        func isGrouped(_ groups: [[Int]]) -> Bool { groups.joined().contains { columns[$0].name == column.name } }
        if column.reference != nil || ownerColumn.map({ columns[$0].name == column.name }) == true {
            return "be a reference"
        }
        if column.defaultValue != nil { return "have a default: make it nullable" }
        if isDerived { return "be searched" }
        if sealing == .content, isGrouped(uniques + indexes) { return "be unique or indexed without equality" }
        return nil
    }
}
