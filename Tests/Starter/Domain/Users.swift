public import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The repository of users.
public struct Users: EntityRepository {
    public typealias Model = User

    public let manager: any PersistencyManager

    /// The users of a manager.
    public init(_ manager: any PersistencyManager) {
        self.manager = manager
    }

    /// The user with a name.
    public func named(_ name: String) async throws(PersistencyError) -> User? {
        try await read(Query(#Predicate { $0.name == name })).entities.first
    }

    /// All operators.
    public func operators() async throws(PersistencyError) -> [User] {
        try await read(Query(#Predicate { $0.isOperator })).entities
    }
}
