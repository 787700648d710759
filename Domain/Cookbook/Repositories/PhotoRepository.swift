public import LarderDomain

/// Keeps photos with their bytes, which nothing else loads.
public protocol PhotoRepository: EntityRepository where Model == Photo {}
