/// Work that may take long or block, and must not run on a thread of the cooperative pool.
public enum LongWork: String, Sendable, Hashable, CaseIterable {
    /// Unbounded reading.
    case scan
    /// Waiting until the device has stored the written data.
    case sync
    /// Transferring a log to its database or checkpoint.
    case checkpoint
    /// Work that may wait for a lock of another process.
    case lockWait
}

/// The threads of a store's long work: how often it ran on a dedicated thread, and how often elsewhere.
public struct WorkPlaces: Sendable, Equatable {
    /// Counts on a dedicated thread of the store.
    public private(set) var ownThread: [LongWork: Int] = [:]
    /// Counts on other threads, which other work needs.
    public private(set) var elsewhere: [LongWork: Int] = [:]

    /// Creates counts of no work.
    public init() {}

    /// Counts work on the current thread.
    public mutating func note(_ work: LongWork, isOnOwnThread: Bool) {
        if isOnOwnThread { ownThread[work, default: 0] += 1 } else { elsewhere[work, default: 0] += 1 }
    }
}
