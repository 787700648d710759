/// A bounded cache with approximate least-recently-used eviction.
///
/// Entries are in two generations. When the young generation reaches half of the capacity, it becomes the old one and
/// the previous old one is evicted. A hit in the old generation moves the entry to the young one.
public struct BoundedCache<Key: Hashable, Value> {
    private typealias Generation = [Key: (value: Value, bytes: Int)]

    private var young: Generation = [:]
    private var old: Generation = [:]
    private var youngBytes = 0
    private let bytesPerGeneration: Int
    /// A limit for single values, so that a large value does not evict many others.
    private var bytesPerValue: Int { bytesPerGeneration / 32 }

    /// Creates an empty cache.
    ///
    /// - Parameter bytes: The capacity, in the units of the sizes passed to ``keep(_:bytes:for:)``.
    public init(bytes: Int) {
        bytesPerGeneration = bytes / 2
    }

    /// The cached value for a key.
    ///
    /// - Complexity: O(1)
    public mutating func value(for key: Key) -> Value? {
        if let found = young[key] { return found.value }
        guard let found = old.removeValue(forKey: key) else { return nil }
        keep(found.value, bytes: found.bytes, for: key)
        return found.value
    }

    /// Inserts or replaces the value for a key.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - bytes: The approximate size. A value above a 64th of the capacity is not cached.
    ///   - key: Its key.
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

    /// Removes the value for a key.
    public mutating func removeValue(for key: Key) {
        old[key] = nil
        if let removed = young.removeValue(forKey: key) { youngBytes -= removed.bytes }
    }

    /// Removes the values for the matching keys.
    ///
    /// - Complexity: O(*n*)
    public mutating func removeValues(where isRemoved: (Key) -> Bool) {
        old = old.filter { !isRemoved($0.key) }
        young = young.filter { !isRemoved($0.key) }
        youngBytes = young.values.reduce(0) { $0 + $1.bytes }
    }

    /// Removes all values.
    public mutating func removeAll() {
        (young, old, youngBytes) = ([:], [:], 0)
    }
}

extension BoundedCache: Sendable where Key: Sendable, Value: Sendable {}
