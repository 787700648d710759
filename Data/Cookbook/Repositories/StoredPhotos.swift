public import CookbookDomain
public import LarderDomain

/// The photos of a manager.
public struct StoredPhotos: PhotoRepository {
    /// The manager that stores the photos.
    public let manager: any PersistencyManager

    /// Makes the repository of a manager.
    public init(manager: any PersistencyManager) {
        self.manager = manager
    }

    public func count() async throws(PersistencyError) -> Int {
        try await manager.counts(Query<Photo>(), by: .value(\.mediaType)).values.reduce(0, +)
    }
}
