internal import LarderApp
private import Synchronization

/// A cache of large values (megabytes) that many requests send in pieces. Each value is loaded once for all requests.
/// The least recently used values are evicted, and loaded again for the next piece that a client needs.
///
/// The memory is therefore independent of the number of clients and of how slowly they read. In return, each piece may
/// cost a load if requests send more values at the same time than fit.
public final class SharedValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private let size: @Sendable (Value) -> Int
    /// A load uses memory before its value is counted.
    private let loads: WorkGate
    /// The values in the order of their use, the most recently used last.
    private let values = Mutex<[(key: Key, value: Value)]>([])

    /// - Parameters:
    ///   - bytes: The maximum size of all cached values; one value is always cached.
    ///   - loads: The maximum number of simultaneous loads.
    ///   - size: The size of a value in bytes.
    public init(bytes: Int, loads: Int, size: @escaping @Sendable (Value) -> Int) {
        limit = bytes
        self.loads = WorkGate(loads)
        self.size = size
    }

    /// The value for a key. A key must always have the same value.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - load: Loads the value; `nil` if there is none, which is not cached.
    /// - Complexity: O(*n*) for the number of cached values.
    public func value(for key: Key, load: () async throws -> Value?) async throws -> Value? {
        if let kept = kept(key) { return kept }
        return try await loads.pass {
            if let kept = kept(key) { return kept }
            guard let value = try await load() else { return nil }
            keep(value, for: key)
            return value
        }
    }

    private func kept(_ key: Key) -> Value? {
        values.withLock { values in
            guard let index = values.lastIndex(where: { $0.key == key }) else { return nil }
            let found = values.remove(at: index)
            values.append(found)
            return found.value
        }
    }

    private func keep(_ value: Value, for key: Key) {
        values.withLock { values in
            values.removeAll { $0.key == key }
            values.append((key, value))
            var bytes = values.reduce(0) { $0 + size($1.value) }
            while bytes > limit, values.count > 1 { bytes -= size(values.removeFirst().value) }
        }
    }
}
