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
public final class AnswerKeeper: Sendable {
    private let limits: AnswerLimits
    private let now: @Sendable () -> Timestamp
    private let running = Mutex<Set<RawID>>([])

    public init(limits: AnswerLimits = AnswerLimits(), now: @escaping @Sendable () -> Timestamp = Timestamp.now) {
        (self.limits, self.now) = (limits, now)
    }

    /// The stored response for a key. Without one, executes the request and stores its response.
    ///
    /// - Parameters:
    ///   - scope: The caller and the operation; a key is valid within it.
    ///   - key: The key in the request.
    ///   - requestDigest: The SHA-256 of the request's body, 32 bytes.
    ///   - manager: A manager without a guard: no policy permits callers to read stored responses.
    ///   - make: Executes the request through the manager of the transaction that it receives and no other, and returns
    ///     the response. It runs again after a conflict, so it must have no effect outside of the transaction.
    /// - Returns: The response, and whether it was stored before. A replay writes nothing.
    /// - Throws: `AnswerRefusal`; the errors of `make`, after which nothing is stored; the errors of a transaction;
    ///   `InvalidField` naming `requestDigest`.
    public func answer(
        scope: AnswerScope, key: String, requestDigest: [UInt8], manager: any PersistencyManager,
        make: (any PersistencyManager) async throws -> Answer
    ) async throws -> (answer: Answer, isReplay: Bool) {
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw AnswerRefusal.invalidKey
        }
        let id = scope.answerID(of: key)
        guard running.withLock({ $0.insert(id.rawValue).inserted }) else { throw AnswerRefusal.inProgress }
        defer { _ = running.withLock { $0.remove(id.rawValue) } }
        return try await manager.transaction { manager in
            if let stored = try await manager.read(id)?.entity, stored.createdAt > oldest {
                guard stored.requestDigest == requestDigest else { throw AnswerRefusal.reused }
                return (stored.answer, true)
            }
            let answer = try await make(manager)
            guard answer.body.count <= limits.bodySize else { throw AnswerRefusal.tooLong(limit: limits.bodySize) }
            // Replaces an expired response.
            try await manager.save(
                StoredAnswer(id: id, requestDigest: requestDigest, answer: answer, createdAt: now()))
            return (answer, false)
        }
    }

    /// Deletes expired responses. If there are none, deletes the oldest responses beyond the maximum number.
    ///
    /// - Returns: The number of deleted responses, at most 32 because each may be long. Call again until it is 0.
    public func purge(_ manager: any PersistencyManager) async throws -> Int {
        let (oldest, batch) = (oldest, 32)
        let byAge = [Sort<StoredAnswer>(\.createdAt)]
        let expired = Query<StoredAnswer>(#Predicate { $0.createdAt <= oldest }, sort: byAge, limit: batch)
        let deleted = try await manager.deleteAll(expired)
        guard deleted == 0 else { return deleted }
        let total = try await manager.read(Query<StoredAnswer>(limit: 1, includesTotal: true)).total ?? 0
        guard total > limits.count else { return 0 }
        return try await manager.deleteAll(Query(sort: byAge, limit: min(batch, total - limits.count)))
    }

    /// Responses that were stored at this instant or earlier have expired.
    private var oldest: Timestamp { now().adding(.zero - limits.lifetime) }
}

/// The limits on stored responses.
public struct AnswerLimits: Hashable, Sendable {
    /// The time during which a response is replayed.
    public var lifetime: Duration
    /// The maximum number of responses after a purge. Between purges there may be more.
    public var count: Int
    /// The maximum size of a body in bytes.
    public var bodySize: Int

    /// Sets limits: by default 24 hours, 10,000 answers, 256 KiB.
    public init(lifetime: Duration = .seconds(86_400), count: Int = 10_000, bodySize: Int = 262_144) {
        (self.lifetime, self.count, self.bodySize) = (lifetime, count, bodySize)
    }
}
