public import LarderDomain

/// A person who borrows books.
public struct Member: Entity {
    /// The id.
    public let id: EntityID<Member>
    /// 1 to 100 characters, not blank; unique.
    public let name: String
    /// Whether the member may read the metrics of the service.
    public let isLibrarian: Bool

    /// Creates a member.
    ///
    /// - Throws: `InvalidField` naming `name`.
    public init(id: EntityID<Member>, name: String, isLibrarian: Bool = false) throws(InvalidField) {
        self.name = try FieldCheck(Member.self).text(name, "name", atMost: 100)
        (self.id, self.isLibrarian) = (id, isLibrarian)
    }
}
