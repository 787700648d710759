private import Synchronization

/// Values of megabytes that many requests send in pieces, each loaded once for all of them. The least recently used
/// make room for others, and are loaded again when a client is ready for more.
///
/// So the memory depends neither on how many clients there are nor on how slowly they read. The price is paid when more
/// values than fit are sent at the same time: each piece may then cost a load.
public final class SharedValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private let size: @Sendable (Value) -> Int
    /// Loads take memory before there is a value.
    private let loads: WorkGate
    /// The most recently used last.
    private let values = Mutex<[(key: Key, value: Value)]>([])

    /// - Parameters:
    ///   - bytes: How many bytes of values are kept; one value is always kept.
    ///   - loads: How many values are loaded at once.
    ///   - size: The bytes of a value.
    public init(bytes: Int, loads: Int, size: @escaping @Sendable (Value) -> Int) {
        limit = bytes
        self.loads = WorkGate(loads)
        self.size = size
    }

    /// The value for a key, which never is another for the same key.
    ///
    /// - Parameter load: Loads it; `nil` for one that is not there, which is not remembered.
    /// - Complexity: O(*n*) for the number of values that are kept.
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
