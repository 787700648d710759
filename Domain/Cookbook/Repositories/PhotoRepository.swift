public import LarderDomain

/// Stores photos with their bytes, which no other repository loads.
public protocol PhotoRepository: EntityRepository where Model == Photo {
    /// The number of photos, without reading their bytes.
    func count() async throws(PersistencyError) -> Int
}
