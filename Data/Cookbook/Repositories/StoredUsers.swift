public import CookbookDomain
public import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The users of a manager.
public struct StoredUsers: UserRepository {
    /// What the users are stored through.
    public let manager: any PersistencyManager

    /// Keeps users through a manager.
    public init(manager: any PersistencyManager) {
        self.manager = manager
    }

    public func withEmail(_ email: String) async throws(PersistencyError) -> Stored<User>? {
        let folded = email.lowercased()
        return try await read(Query(#Predicate { $0.foldedEmail == folded })).items.first
    }
}
