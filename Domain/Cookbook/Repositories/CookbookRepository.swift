public import LarderDomain

/// Keeps cookbooks.
public protocol CookbookRepository: EntityRepository where Model == Cookbook {
    /// The cookbooks of a user, in the order in which they were stored.
    func owned(by user: EntityID<User>) async throws(PersistencyError) -> [Stored<Cookbook>]
}
