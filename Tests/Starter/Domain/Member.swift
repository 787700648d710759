public import LarderDomain

/// A person who borrows books.
public struct Member: Entity {
    /// The id.
    public let id: EntityID<Member>
    /// 1 to 100 characters; unique.
    public let name: String
    /// Whether the member may read the metrics of the service.
    public let isLibrarian: Bool

    /// Creates a member.
    ///
    /// - Throws: `InvalidField` naming `name`.
    public init(id: EntityID<Member>, name: String, isLibrarian: Bool = false) throws(InvalidField) {
        guard (1...100).contains(name.count) else {
            throw InvalidField(Member.self, "name", "must have 1 to 100 characters")
        }
        (self.id, self.name, self.isLibrarian) = (id, name, isLibrarian)
    }
}
