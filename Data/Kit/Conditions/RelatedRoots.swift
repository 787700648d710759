package import LarderDomain

/// The other roots of a ``Condition/related(_:_:)``, by the member that connects them.
public struct RelatedRoots: Hashable, Sendable {
    /// A column with an id, or a list of links.
    public enum Member: Hashable, Sendable {
        /// The number of a column.
        case column(Int)
        /// The number of a list of links.
        case link(Int)
    }

    /// The schema of the other roots.
    public let schema: EntitySchema
    /// The member that refers: of the other roots if they refer to this one, otherwise of this one.
    public let member: Member
    /// Whether the other roots refer to this one.
    public let isIncoming: Bool

    /// Connects roots with those of a schema.
    public init(_ schema: EntitySchema, by member: Member, isIncoming: Bool) {
        (self.schema, self.member, self.isIncoming) = (schema, member, isIncoming)
    }

    public static func == (lhs: RelatedRoots, rhs: RelatedRoots) -> Bool {
        lhs.schema.name == rhs.schema.name && lhs.member == rhs.member && lhs.isIncoming == rhs.isIncoming
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(schema.name)
        hasher.combine(member)
        hasher.combine(isIncoming)
    }
}

extension RelatedRoots: CustomStringConvertible {
    public var description: String {
        let place =
            switch member {
            case .column(let index): "#\(index)"
            case .link(let index): "@\(index)"
            }
        return isIncoming ? "\(schema.name) \(place)" : "\(place) to \(schema.name)"
    }
}

extension Condition {
    /// The schemas of other roots in the condition.
    var relatedSchemas: [EntitySchema] {
        switch self {
        case .related(let roots, let inner): [roots.schema] + inner.relatedSchemas
        case .and(let parts), .or(let parts): parts.flatMap(\.relatedSchemas)
        case .not(let inner): inner.relatedSchemas
        default: []
        }
    }

    /// The condition with sets of ids instead of conditions on other roots.
    ///
    /// - Parameter read: Reads the roots of a schema that satisfy a condition.
    package func resolved(
        of schema: EntitySchema,
        _ read: (EntitySchema, Condition) async throws(PersistencyError) -> [StorageObject]
    ) async throws(PersistencyError) -> Condition {
        switch self {
        case .related(let roots, let inner):
            let others = try await read(roots.schema, try await inner.resolved(of: roots.schema, read))
            let ids = Set(others.map(\.id))
            switch (roots.member, roots.isIncoming) {
            case (.column(let index), false): return .isIn(.column(index), Set(ids.map { .id($0) }))
            case (.column(let index), true): return .isIn(.id, Set(others.map { $0.values[index] }))
            case (.link(let index), true): return .isIn(.id, Set(others.flatMap { $0.links[index].map { .id($0) } }))
            case (.link(let index), false) where ids.count <= 64:
                return .any(ids.sorted().map { .links(relationship: index, id: $0) })
            case (.link(let index), false):
                let holders = try await read(schema, .always(true)).filter { !ids.isDisjoint(with: $0.links[index]) }
                return .isIn(.id, Set(holders.map { .id($0.id) }))
            }
        case .and(let parts): return .all(try await Self.resolved(parts, of: schema, read))
        case .or(let parts): return .any(try await Self.resolved(parts, of: schema, read))
        case .not(let inner): return try await inner.resolved(of: schema, read).negated
        default: return self
        }
    }

    private static func resolved(
        _ parts: [Condition], of schema: EntitySchema,
        _ read: (EntitySchema, Condition) async throws(PersistencyError) -> [StorageObject]
    ) async throws(PersistencyError) -> [Condition] {
        var resolved: [Condition] = []
        for part in parts { resolved.append(try await part.resolved(of: schema, read)) }
        return resolved
    }
}

extension Store {
    /// A condition that the store evaluates: the ids of other roots are read first, from another snapshot, unless it
    /// evaluates semi-joins.
    func answerable(_ condition: Condition, of schema: EntitySchema) async throws(PersistencyError) -> Condition {
        if condition.relatedSchemas.isEmpty || traits.capabilities.contains(.semiJoins) { return condition }
        return try await condition.resolved(of: schema) { (schema, condition) throws(PersistencyError) in
            try await read(ReadRequest(schema, where: condition)).items
        }
    }

    func answerable(_ request: ReadRequest) async throws(PersistencyError) -> ReadRequest {
        var request = request
        request.condition = try await answerable(request.condition, of: request.schema)
        return request
    }
}
