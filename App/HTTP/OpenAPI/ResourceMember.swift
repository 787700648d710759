public import LarderData

/// A member of the representation of an entity: its name, its values, and whether clients can set it. The names in the
/// fingerprint of entity tags and the schemas of the OpenAPI document follow from it.
public struct ResourceMember: Sendable {
    /// Whether clients can set a member.
    public enum Access: Sendable {
        /// Required in a body for `POST` and `PUT`.
        case required
        /// A default replaces a missing value and null. It is never null in a representation.
        case defaulted
        /// Null means no value.
        case optional
        /// Ignored in a body.
        case readOnly
        /// Ignored in a body; null means no value.
        case optionalReadOnly

        var isReadOnly: Bool { self == .readOnly || self == .optionalReadOnly }
    }

    let name: String
    let values: Values
    let access: Access
    let about: String?

    /// - Parameters:
    ///   - name: Its name in JSON.
    ///   - values: Its values.
    ///   - access: Whether clients can set it.
    ///   - about: Its meaning, for readers of the document.
    public init(_ name: String, _ values: Values, _ access: Access, _ about: String? = nil) {
        (self.name, self.values, self.access, self.about) = (name, values, access, about)
    }

    /// The id of the entity, which the service assigns.
    public static let id = ResourceMember("id", .named("AssignedID"), .readOnly)
    /// The creation time of the entity, which its id states.
    public static let createdAt = ResourceMember("createdAt", .named("CreatedAt"), .readOnly)

    /// The names of the member and of the members of its objects: `steps`, `steps.text`.
    public var names: [String] { [name] + values.parts.map { "\(name).\($0.name)" } }
}

extension SchemaFingerprint {
    /// The fingerprint of a schema and of a representation.
    public init(_ schema: EntitySchema, members: [ResourceMember], evolution: SchemaEvolution = .initial) {
        self.init(schema, members: members.flatMap(\.names), evolution: evolution)
    }
}
