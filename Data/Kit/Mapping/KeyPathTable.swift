internal import LarderDomain

/// The members of an entity's schema by key path.
///
/// `@unchecked Sendable`: key paths to stored or computed properties are immutable and safe to share, and every one in
/// the table was passed as `Sendable`. `AnyKeyPath` does not declare it.
@usableFromInline
struct KeyPathTable: @unchecked Sendable {
    private let members: [AnyKeyPath: EntityMember]
    /// The optional value objects whose parts are looked up, the outermost first.
    private var values: [AnyKeyPath] = []

    init(_ members: [AnyKeyPath: EntityMember]) {
        self.members = members
    }

    subscript(keyPath: AnyKeyPath) -> EntityMember? {
        var whole: AnyKeyPath? = keyPath
        for value in values.reversed() { whole = whole.flatMap(value.joined) }
        return whole.flatMap { members[$0] }
    }

    /// The parts of an optional value object, by their key paths from its value.
    func parts(of value: AnyKeyPath) -> KeyPathTable {
        var parts = self
        parts.values.append(value)
        return parts
    }
}

/// A member of a schema that a key path refers to.
enum EntityMember: Sendable {
    case id
    /// A column, with its scale.
    case column(Int, Int?)
    case links(Int)
    /// An optional value object, which is absent where a column is null.
    case value(presence: Int)
    /// A list of owned objects, with their members.
    case children(Int, KeyPathTable)
}

extension AnyKeyPath {
    /// The key path for messages: its property names if Swift retains them, otherwise its types. The description of a
    /// computed property contains an address, which differs between runs.
    var displayName: String {
        let text = "\(self)"
        guard text.contains("0x") else { return text }
        return "a computed property of \(Self.rootType) of type \(Self.valueType)"
    }
}
