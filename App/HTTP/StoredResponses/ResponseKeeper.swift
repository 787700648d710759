public import LarderDomain
private import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Stores and replays the responses to requests with an idempotency key: the first request is executed, its repetitions
/// get the stored response.
///
/// The response is stored in the same commit as the change that it reports, so a crash cannot leave one without the
/// other. Use one keeper for each store: it knows which keys are in progress.
///
/// Each caller has a quota of keys. A new key beyond it is refused, and no stored response is deleted before its
/// lifetime ends. One process never exceeds the quota; each further process of the same store may exceed it by the
/// requests of the caller that it executes at the same time.
public final class ResponseKeeper: Sendable {
    private let limits: ResponseLimits
    private let now: @Sendable () -> Timestamp
    /// The requests in progress: the caller of each key, by the id of its response.
    private let running = Mutex<[RawID: RawID]>([:])

    /// Makes a keeper for one store. Tests replace the clock.
    public init(limits: ResponseLimits = ResponseLimits(), now: @escaping @Sendable () -> Timestamp = Timestamp.now) {
        (self.limits, self.now) = (limits, now)
    }

    /// The stored response for a key. Without one, executes the request and stores its response.
    ///
    /// - Parameters:
    ///   - scope: The caller and the operation; a key is valid within it.
    ///   - key: The key in the request.
    ///   - requestDigest: The SHA-256 of the request's body, 32 bytes.
    ///   - quota: The maximum number of the caller's stored responses.
    ///   - manager: A manager without a guard: no policy permits callers to read stored responses.
    ///   - make: Executes the request through the manager of the transaction that it receives and no other, and returns
    ///     the response. It runs again after a conflict, so it must have no effect outside of the transaction.
    /// - Returns: The response, and whether it was stored before. A replay writes nothing. It has no body if the body
    ///   was longer than the limit.
    /// - Throws: `ResponseRefusal`; the errors of `make`, after which nothing is stored; the errors of a transaction;
    ///   `InvalidField` naming `requestDigest`.
    public func response(
        scope: ResponseScope, key: String, requestDigest: [UInt8], quota: Int = 10_000,
        manager: any PersistencyManager, make: (any PersistencyManager) async throws -> ResponseContent
    ) async throws -> (content: ResponseContent, isReplay: Bool) {
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ResponseRefusal.invalidKey
        }
        let (id, caller) = (scope.responseID(of: key), scope.callerID)
        let isFirst = running.withLock { running in
            guard running[id.rawValue] == nil else { return false }
            running[id.rawValue] = caller
            return true
        }
        guard isFirst else { throw ResponseRefusal.inProgress }
        defer { _ = running.withLock { $0.removeValue(forKey: id.rawValue) } }
        return try await manager.transaction { manager in
            if let stored = try await manager.read(id)?.entity, stored.createdAt > oldest {
                guard stored.requestDigest == requestDigest else { throw ResponseRefusal.reused }
                return (stored.content, true)
            }
            try await check(quota, of: caller, manager)
            let content = try await make(manager)
            // Replaces an expired response.
            try await manager.save(
                StoredResponse(
                    id: id, requestDigest: requestDigest, content: try content.stored(upTo: limits.bodySize),
                    createdAt: now(), caller: caller))
            return (content, false)
        }
    }

    /// Deletes expired responses, without reading them.
    ///
    /// - Returns: The number of deleted responses, at most 100. Call again until it is 0.
    public func purge(_ manager: any PersistencyManager) async throws -> Int {
        let oldest = oldest
        return try await manager.delete(
            matching: Query<StoredResponse>(
                #Predicate { $0.createdAt <= oldest }, sort: [Sort(\.createdAt)], limit: 100))
    }

    /// - Throws: `ResponseRefusal.quotaExceeded` if the caller's stored responses, and the requests in progress that
    ///   may store one, use the quota.
    private func check(_ quota: Int, of caller: RawID, _ manager: any PersistencyManager) async throws {
        // Before the count: a request that ends in between is in both numbers, and none is in neither.
        let others = running.withLock { $0.values.count { $0 == caller } } - 1
        let own = Query<StoredResponse>(#Predicate { $0.caller == caller })
        let stored = try await manager.counts(own, by: .value(\.caller))[caller] ?? 0
        guard stored + others >= quota else { return }
        let times = try await manager.counts(own, by: .value(\.createdAt)).filter { $0.key > oldest }
        let live = times.values.reduce(0, +)
        guard live + others >= quota else { return }
        let untilExpiry = (times.keys.min() ?? oldest).microseconds - oldest.microseconds
        throw ResponseRefusal.quotaExceeded(
            limit: quota, retryAfter: live < quota ? .seconds(1) : .microseconds(untilExpiry))
    }

    /// Responses that were stored at this instant or earlier have expired.
    private var oldest: Timestamp { now().adding(.zero - limits.lifetime) }
}

/// The limits on stored responses.
public struct ResponseLimits: Hashable, Sendable {
    /// The time during which a response is replayed.
    public var lifetime: Duration
    /// The maximum size of a stored body in bytes. A longer one is sent, but not replayed.
    public var bodySize: Int

    /// Sets limits: by default 24 hours, 256 KiB.
    public init(lifetime: Duration = .seconds(86_400), bodySize: Int = 262_144) {
        (self.lifetime, self.bodySize) = (lifetime, bodySize)
    }
}
