internal import LarderDomain

/// The counters of a history.
///
/// An id is created at most once and deleted at most once, because versions give an order only within one lifetime.
/// Mortal counters exist from the start and may be deleted. The first client that needs a lasting counter creates it,
/// and it is never deleted.
enum HistoryKeys {
    static let lasting = 0..<24
    static let mortal = 24..<48
    static let all = 0..<48

    /// A random key, often one of the few contended ones.
    static func any(using chance: inout Chance) -> Int {
        chance.happens(oneIn: 2) ? hot(using: &chance) : pick(all, 1, &chance)
    }

    /// One of the few contended keys.
    static func hot(using chance: inout Chance) -> Int { pick(all, 16, &chance) }

    static func lasting(using chance: inout Chance) -> Int { pick(lasting, 1, &chance) }

    static func mortal(using chance: inout Chance) -> Int { pick(mortal, 1, &chance) }

    private static func pick(_ keys: Range<Int>, _ step: Int, _ chance: inout Chance) -> Int {
        let count = UInt64((keys.count + step - 1) / step)
        return keys.lowerBound + Int(chance.next() % count) * step
    }

    static func id(_ key: Int) -> EntityID<Counter> { EntityID(RawID(high: 0, low: UInt64(key))) }

    static func key(_ id: EntityID<Counter>) -> Int { key(id.rawValue) }

    static func key(_ id: RawID) -> Int { Int(truncatingIfNeeded: id.low) }

    static func counter(_ key: Int, _ value: Int) -> Counter { Counter(id(key), value) }
}
