import LarderDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// All sides, each over a database file with the same rows.
struct Kitchen: Sendable {
    /// The number of tasks of the works that read from several.
    static let tasks = 8

    /// The floor is the first, Larder the second.
    let sides: [any Side]
    /// Larder's store, for loads.
    let repository: DishRepository
    let ids: [EntityID<Dish>]
    let feastCount: Int
    /// The filled database, which no side opens.
    let original: String
    /// A folder for databases that a work makes.
    let folder: URL

    /// Random ids, the same for the same seed.
    func ids(_ count: Int, seed: Int) -> [EntityID<Dish>] {
        var chance = SplitMix64(state: UInt64(seed))
        return (0..<count).map { _ in ids[Int(chance.next() % UInt64(ids.count))] }
    }

    /// Distinct ids, in ascending order.
    func distinctIDs(_ count: Int, seed: Int) -> [EntityID<Dish>] {
        var seen: Set<EntityID<Dish>> = []
        return ids(count * 2, seed: seed).filter { seen.insert($0).inserted }.prefix(count).sorted()
    }

    /// Distinct ids of aggregates.
    func feastIDs(_ count: Int, seed: Int) -> [EntityID<Feast>] {
        var chance = SplitMix64(state: UInt64(seed))
        let start = Int(chance.next() % UInt64(feastCount))
        // A step coprime to the count reaches each index once.
        return (0..<count).map { Feast(number: (start + $0 * 7919) % feastCount).id }
    }
}

/// The generator of Steele, Lea, and Flood: small, and sufficient to spread reads over a table.
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
