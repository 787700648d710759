public import LarderDomain

/// Lends a book to a member.
public struct LendBook: Sendable {
    private let manager: any PersistencyManager

    /// Creates the use case.
    public init(_ manager: any PersistencyManager) {
        self.manager = manager
    }

    /// Records the borrower.
    ///
    /// - Throws: ``AlreadyLent``; `notFound` for a book or a member that does not exist.
    public func execute(_ book: EntityID<Book>, to member: EntityID<Member>) async throws -> Stored<Book> {
        try await manager.transaction { manager in
            let stored = try await manager.require(book)
            _ = try await manager.require(member)
            return try await manager.update(stored.entity.lent(to: member), expecting: stored.version).stored
        }
    }
}
