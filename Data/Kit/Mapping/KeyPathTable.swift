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

extension AnyKeyPath {
    /// The key path in messages: its names where Swift keeps them, otherwise its types. The description of a computed
    /// property is an address, which differs from run to run.
    var displayName: String {
        let text = "\(self)"
        guard text.contains("0x") else { return text }
        return "a computed property of \(Self.rootType) of type \(Self.valueType)"
    }
}
