public import LarderDomain

/// Stores users.
public protocol UserRepository: EntityRepository where Model == User {
    /// The user with an address, in any case.
    func withEmail(_ email: String) async throws(PersistencyError) -> Stored<User>?
}
