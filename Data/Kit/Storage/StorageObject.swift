public import LarderDomain

/// The neutral form of one entity with everything that it owns, which every store reads and writes.
///
/// Values, owned objects and links are in the order of their declaration in the schema.
public struct StorageObject: Sendable {
    /// The entity's schema.
    public let schema: EntitySchema
    /// The entity's id.
    public let id: RawID
    /// The version at which it was read; 0 for new objects and for owned objects.
    public var version: Int64
    /// One value for each column.
    public var values: [Value]
    /// One list for each relationship of owned objects.
    public var children: [[StorageObject]]
    /// One list for each relationship of links.
    public var links: [[RawID]]

    /// Creates an object from members in the order of the schema; without a version, a new or an owned one.
    public init(
        schema: EntitySchema, id: RawID, version: Int64 = 0, values: [Value], children: [[StorageObject]] = [],
        links: [[RawID]] = []
    ) {
        (self.schema, self.id, self.version, self.values) = (schema, id, version, values)
        (self.children, self.links) = (children, links)
    }
}

extension StorageObject: Equatable {
    /// Compares ids, schema names and content, but not versions.
    public static func == (lhs: StorageObject, rhs: StorageObject) -> Bool {
        lhs.id == rhs.id && lhs.schema.name == rhs.schema.name && lhs.values == rhs.values && lhs.links == rhs.links
            && lhs.children == rhs.children
    }
}

extension StorageObject {
    /// The root's owner, if its schema declares an owner column.
    public var owner: RawID? {
        guard let column = schema.ownerColumn, case .id(let id) = values[column] else { return nil }
        return id
    }

    /// The root's identity.
    public var key: EntityKey { EntityKey(schema, id) }

    /// Whether the version of a stored root is in its range: a store writes 1 first, and the next one must not overflow.
    package var hasValidVersion: Bool { (1 ..< .max).contains(version) }

    /// The entity's reference in errors.
    public var reference: EntityReference { EntityReference(entity: schema.name, id: id) }
}
