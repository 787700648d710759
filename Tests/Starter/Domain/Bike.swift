public import LarderDomain

/// A bike that users borrow.
public struct Bike: Entity {
    /// The id.
    public let id: EntityID<Bike>
    /// 1 to 200 characters, not blank.
    public let name: String
    /// The user who has borrowed the bike; `nil` while it is available.
    public let borrower: EntityID<User>?

    /// Creates a bike.
    ///
    /// - Parameter limits: `.stored` for texts that a store returned.
    /// - Throws: `InvalidField` naming `name`.
    public init(
        id: EntityID<Bike>, name: String, borrower: EntityID<User>? = nil, limits: TextLimits = .current
    ) throws(InvalidField) {
        let check = FieldCheck(Bike.self, limits)
        self.id = id
        self.name = try check.text(name, "name", atMost: 200)
        self.borrower = borrower
    }

    /// The bike, lent to a user.
    ///
    /// - Throws: ``BikeIsLent``
    func lent(to user: EntityID<User>) throws -> Bike {
        guard borrower == nil else { throw BikeIsLent(name: name) }
        return try Bike(id: id, name: name, borrower: user)
    }
}

/// The error for lending a bike that is already lent.
public struct BikeIsLent: Error, Equatable {
    /// The name of the bike.
    public let name: String

    /// Names the bike.
    public init(name: String) {
        self.name = name
    }
}
