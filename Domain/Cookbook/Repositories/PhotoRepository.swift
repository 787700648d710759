public import LarderDomain

/// Keeps photos with their bytes, which nothing else loads.
public protocol PhotoRepository: EntityRepository where Model == Photo {
    /// The number of photos; reads none of their bytes.
    func count() async throws(PersistencyError) -> Int
}
