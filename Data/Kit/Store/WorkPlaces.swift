/// Work that may take long or wait, and so does not belong on a thread of the cooperative pool.
public enum LongWork: String, Sendable, Hashable, CaseIterable {
    /// Reading without a bound.
    case scan
    /// Waiting until the device has what was written.
    case sync
    /// Moving a log into what it is the log of.
    case checkpoint
    /// Whatever is allowed to wait for a lock that another process holds.
    case lockWait
}

/// Where a store's long work ran: how often on a thread of its own, and how often elsewhere.
public struct WorkPlaces: Sendable, Equatable {
    /// On a thread of the store's own.
    public private(set) var ownThread: [LongWork: Int] = [:]
    /// Elsewhere: on a thread that others need.
    public private(set) var elsewhere: [LongWork: Int] = [:]

    public init() {}

    /// Counts work that runs now.
    public mutating func note(_ work: LongWork, isOnOwnThread: Bool) {
        if isOnOwnThread { ownThread[work, default: 0] += 1 } else { elsewhere[work, default: 0] += 1 }
    }
}
