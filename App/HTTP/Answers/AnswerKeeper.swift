public import LarderDomain
private import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Answers requests that carry an idempotency key: the first time by doing what they ask, after that with what was
/// answered then.
///
/// The answer is stored in the commit of the change that it tells of, so that neither is there without the other, also
/// after a crash. One keeper serves one store: it knows which keys are being answered.
public final class AnswerKeeper: Sendable {
    private let limits: AnswerLimits
    private let now: @Sendable () -> Timestamp
    private let running = Mutex<Set<RawID>>([])

    public init(limits: AnswerLimits = AnswerLimits(), now: @escaping @Sendable () -> Timestamp = Timestamp.now) {
        (self.limits, self.now) = (limits, now)
    }

    /// The answer that is stored under a key, or the one that is made and stored now.
    ///
    /// - Parameters:
    ///   - scope: Who asks for what; the key counts within it.
    ///   - key: As the request has it.
    ///   - requestDigest: The SHA-256 of the request's body, 32 bytes.
    ///   - manager: One that is not guarded: stored answers are nobody's to read.
    ///   - make: Does what is asked, through the manager of the transaction that it receives and none other, and gives
    ///     the answer. It may run again when others change the same, so that it has no effect outside.
    /// - Returns: The answer, and whether it was stored before. A replay writes nothing.
    /// - Throws: `AnswerRefusal`; what `make` throws, which stores nothing; what a transaction throws; `InvalidField`
    ///   naming `requestDigest`.
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
            // Replaces one that expired.
            try await manager.save(
                StoredAnswer(id: id, requestDigest: requestDigest, answer: answer, createdAt: now()))
            return (answer, false)
        }
    }

    /// Deletes answers that expired, else the oldest of those beyond the bound.
    ///
    /// - Returns: How many were deleted, at most 32, since each may be long; call again until there is none.
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

    /// What was stored then or before is not given again.
    private var oldest: Timestamp { now().adding(.zero - limits.lifetime) }
}

/// How much is kept of what was answered.
public struct AnswerLimits: Hashable, Sendable {
    /// How long an answer is given again.
    public var lifetime: Duration
    /// How many answers are left by a purge; between purges there may be more.
    public var count: Int
    /// The most bytes that a body may have.
    public var bodySize: Int

    /// Sets limits: by default 24 hours, 10,000 answers, 256 KiB.
    public init(lifetime: Duration = .seconds(86_400), count: Int = 10_000, bodySize: Int = 262_144) {
        (self.lifetime, self.count, self.bodySize) = (lifetime, count, bodySize)
    }
}
