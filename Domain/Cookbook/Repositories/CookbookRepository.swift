public import LarderDomain

/// Stores cookbooks.
public protocol CookbookRepository: EntityRepository where Model == Cookbook {
    /// The cookbooks of a user, in the order of ids, which is the order of creation unless the clock was set back.
    func owned(by user: EntityID<User>) async throws(PersistencyError) -> [Stored<Cookbook>]
}
