public import LarderDomain

/// A person who uses the service.
public struct User: Entity {
    /// The id.
    public let id: EntityID<User>
    /// 1 to 100 characters, not blank; unique.
    public let name: String
    /// Whether the user has all permissions.
    public let isOperator: Bool

    /// Creates a user.
    ///
    /// - Parameter limits: `.stored` for texts that a store returned.
    /// - Throws: `InvalidField` naming `name`.
    public init(
        id: EntityID<User>, name: String, isOperator: Bool = false, limits: TextLimits = .current
    ) throws(InvalidField) {
        self.id = id
        self.name = try FieldCheck(User.self, limits).text(name, "name", atMost: 100)
        self.isOperator = isOperator
    }
}
