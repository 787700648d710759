/// Where the key paths of an entity lead in its schema.
///
/// Key paths to stored or computed properties are immutable and safe to share, but `AnyKeyPath` is not declared
/// `Sendable`; every one in here came in as one that is.
@usableFromInline
struct KeyPathTable: @unchecked Sendable {
    private let members: [AnyKeyPath: EntityMember]

    init(_ members: [AnyKeyPath: EntityMember]) {
        self.members = members
    }

    subscript(keyPath: AnyKeyPath) -> EntityMember? { members[keyPath] }
}

/// A member of a schema, as a key path finds it.
enum EntityMember: Sendable {
    case id
    case column(Int)
    case links(Int)
    /// A list of owned objects, with the members of these.
    case children(Int, KeyPathTable)
}
