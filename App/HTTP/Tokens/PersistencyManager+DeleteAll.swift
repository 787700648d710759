internal import LarderDomain

extension PersistencyManager {
    /// Deletes the page that a query finds, in one commit.
    ///
    /// - Returns: The number of deleted entities.
    func deleteAll<E: Entity>(_ query: Query<E>) async throws -> Int {
        try await transaction { manager in
            let found = try await manager.read(query).items
            for item in found { try await manager.delete(item.id, expecting: item.version) }
            return found.count
        }
    }
}
