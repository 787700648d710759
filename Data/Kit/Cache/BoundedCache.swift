/// Values by key, as far as they fit; those that were not asked for lately go first.
///
/// It has two generations. When the young one is half of all that fits, it becomes the old one, and what the old one
/// still held goes; whoever is found in the old one is young again.
public struct BoundedCache<Key: Hashable, Value> {
    private typealias Generation = [Key: (value: Value, bytes: Int)]

    private var young: Generation = [:]
    private var old: Generation = [:]
    private var youngBytes = 0
    private let bytesPerGeneration: Int
    /// One value takes the place of few others.
    private var bytesPerValue: Int { bytesPerGeneration / 32 }

    /// Begins empty.
    ///
    /// - Parameter bytes: How much fits, by what callers say of the values that they keep.
    public init(bytes: Int) {
        bytesPerGeneration = bytes / 2
    }

    /// The value for a key, if it is still there.
    ///
    /// - Complexity: O(1)
    public mutating func value(for key: Key) -> Value? {
        if let found = young[key] { return found.value }
        guard let found = old.removeValue(forKey: key) else { return nil }
        keep(found.value, bytes: found.bytes, for: key)
        return found.value
    }

    /// Keeps a value in the place of what was kept for the key.
    ///
    /// - Parameter bytes: What it costs, roughly. One that takes more than a 64th of all that fits is not kept.
    /// - Complexity: O(1), amortised.
    public mutating func keep(_ value: Value, bytes: Int, for key: Key) {
        removeValue(for: key)
        guard bytes <= bytesPerValue else { return }
        if youngBytes + bytes > bytesPerGeneration {
            old = young
            young = [:]
            youngBytes = 0
        }
        young[key] = (value, bytes)
        youngBytes += bytes
    }

    /// Forgets a value.
    public mutating func removeValue(for key: Key) {
        old[key] = nil
        if let removed = young.removeValue(forKey: key) { youngBytes -= removed.bytes }
    }

    /// Forgets the values of some keys.
    ///
    /// - Complexity: O(*n*)
    public mutating func removeValues(where isRemoved: (Key) -> Bool) {
        old = old.filter { !isRemoved($0.key) }
        young = young.filter { !isRemoved($0.key) }
        youngBytes = young.values.reduce(0) { $0 + $1.bytes }
    }

    /// Forgets all values.
    public mutating func removeAll() {
        (young, old, youngBytes) = ([:], [:], 0)
    }
}

extension BoundedCache: Sendable where Key: Sendable, Value: Sendable {}
