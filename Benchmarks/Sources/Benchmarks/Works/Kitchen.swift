import LarderDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Both sides, each over a database file with the same dishes.
struct Kitchen: Sendable {
    let repository: DishRepository
    let floor: FloorDatabase
    /// One for each task of the works that read from several.
    let floorReaders: [FloorDatabase]
    let ids: [EntityID<Dish>]
    let feasts: FeastRepository
    let floorFeasts: FloorFeasts
    let feastCount: Int
    /// For databases that a work makes for itself.
    let folder: URL

    /// Some ids, at random, but the same ones for the same seed.
    func ids(_ count: Int, seed: Int) -> [EntityID<Dish>] {
        var chance = SplitMix64(state: UInt64(seed))
        return (0..<count).map { _ in ids[Int(chance.next() % UInt64(ids.count))] }
    }
}

/// Steele, Lea and Flood's generator: small, and good enough to spread reads over a table.
struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
