public import CookbookDomain
public import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The users of a manager.
public struct StoredUsers: UserRepository {
    /// The manager that stores the users.
    public let manager: any PersistencyManager

    /// Makes the repository of a manager.
    public init(manager: any PersistencyManager) {
        self.manager = manager
    }

    public func withEmail(_ email: String) async throws(PersistencyError) -> Stored<User>? {
        let folded = email.lowercased()
        return try await read(Query(#Predicate { $0.foldedEmail == folded })).items.first
    }
}
