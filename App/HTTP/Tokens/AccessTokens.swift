internal import Crypto
internal import LarderApp
public import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Issues, verifies and revokes the tokens of one manager.
///
/// Verification needs a manager that can read all tokens. For all other operations, a guarded manager restricts a
/// caller to the permitted tokens.
public struct AccessTokens: Sendable {
    private let manager: any PersistencyManager
    private let prefix: String
    private let now: @Sendable () -> Timestamp
    private let random: @Sendable () -> UInt64

    /// Manages tokens through a manager.
    ///
    /// - Parameters:
    ///   - manager: Stores the tokens.
    ///   - prefix: The prefix of secrets; see `ServiceIdentity.tokenPrefix`.
    ///   - now: The time; by default that of the system.
    ///   - random: Returns 64 unpredictable bits at each call; by default from the system.
    public init(
        manager: any PersistencyManager, prefix: String, now: @escaping @Sendable () -> Timestamp = Timestamp.now,
        random: @escaping @Sendable () -> UInt64 = AccessTokens.systemRandom
    ) {
        (self.manager, self.prefix, self.now, self.random) = (manager, prefix, now, random)
    }

    /// 64 bits from the system's random number generator.
    public static let systemRandom: @Sendable () -> UInt64 = {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }

    /// Issues a token and stores its digest.
    ///
    /// - Parameters:
    ///   - subject: The id of the token's owner.
    ///   - label: The purpose of the token, in 1 to 100 characters.
    ///   - lifetime: The time of validity, at most ``AccessToken/longestLifetime``.
    ///   - restriction: The only permissions that the token gives; `nil` for all permissions of its owner.
    /// - Returns: The secret, which cannot be shown again, and the stored token.
    /// - Throws: `InvalidField` naming `label` or `expiresAt`; `dangling` if the subject is not stored.
    public func issue(
        to subject: RawID, label: String, lifetime: Duration = AccessToken.standardLifetime,
        restriction: TokenRestriction? = nil
    ) async throws -> (secret: TokenSecret, token: AccessToken) {
        let secret = TokenSecret(prefix: prefix, random: random)
        let present = now()
        let token = try AccessToken(
            digest: Array(secret.digest), subject: subject, label: try AccessToken.composed(label: label),
            createdAt: present, expiresAt: present.adding(lifetime), restriction: restriction)
        try await manager.create(token)
        return (secret, token)
    }

    /// The token for a secret, if it is valid now. Costs one point read.
    ///
    /// The reason for a refusal is for logs: the caller gets the same response for all reasons.
    public func check(_ text: String) async throws(PersistencyError) -> TokenCheck {
        guard let secret = TokenSecret(text, prefix: prefix) else { return .refused(.malformed) }
        let digest = secret.digest
        let id = EntityID<AccessToken>(RawID(firstOf: Array(digest)))
        // Comparing digests takes constant time.
        guard let token = try await manager.read(id)?.entity, digest == token.digest else { return .refused(.unknown) }
        return token.refusal(at: now()).map(TokenCheck.refused) ?? .live(token)
    }

    /// All stored tokens of a subject, the latest first, including invalid ones.
    public func issued(to subject: RawID) async throws(PersistencyError) -> [AccessToken] {
        let query = Query<AccessToken>(
            #Predicate { $0.subject == subject }, sort: [Sort(\.createdAt, .descending)])
        return try await manager.read(query).entities
    }

    /// Whether a subject has a token that is valid now and not restricted.
    func hasLiveToken(_ subject: RawID) async throws(PersistencyError) -> Bool {
        let now = now()
        return try await issued(to: subject).contains { $0.restriction == nil && $0.refusal(at: now) == nil }
    }

    /// One page of the tokens of a subject, the latest first, including invalid ones.
    ///
    /// - Parameters:
    ///   - subject: The id of the subject.
    ///   - limit: The maximum number of tokens.
    ///   - after: The start of the page: `next` of the page before; `nil` for the first.
    ///   - before: The end of the page, instead of its start: `previous` of the page after it.
    ///   - includesTotal: Whether to count all tokens of the subject.
    public func page(
        of subject: RawID, limit: Int, after: Cursor? = nil, before: Cursor? = nil, includesTotal: Bool = false
    ) async throws(PersistencyError) -> QueryPage<AccessToken> {
        var query = Query<AccessToken>(#Predicate { $0.subject == subject }, sort: [Sort(\.createdAt, .descending)])
        (query.limit, query.after, query.before) = (limit, after, before)
        query.includesTotal = includesTotal
        return try await manager.read(query)
    }

    /// A stored token; `nil` if there is none, or the caller may not see it.
    public func read(_ id: EntityID<AccessToken>) async throws(PersistencyError) -> AccessToken? {
        try await manager.read(id)?.entity
    }

    /// Revokes a token. For a revoked token, nothing is written.
    ///
    /// - Throws: `notFound` if the token is not stored, or the caller may not see it.
    @discardableResult
    public func revoke(_ id: EntityID<AccessToken>) async throws -> AccessToken {
        try await manager.change(id) { $0 = try $0.revoked(at: now()) }.stored.entity
    }

    /// Deletes tokens that expired more than 30 days ago. Until then, they can still be listed as expired.
    ///
    /// - Returns: The number of deleted tokens, at most 100; call again until it is 0.
    public func purge() async throws -> Int {
        let limit = now().adding(.seconds(-30 * 86_400))
        let expired = Query<AccessToken>(
            #Predicate { $0.expiresAt < limit }, sort: [Sort(\.expiresAt)], limit: 100)
        return try await manager.delete(matching: expired)
    }
}

/// The result of verifying the secret of a token.
public enum TokenCheck: Sendable {
    /// The secret of a valid token.
    case live(AccessToken)
    /// Not the secret of a valid token.
    case refused(TokenRefusal)

    /// The valid token; `nil` if the secret was refused.
    public var token: AccessToken? {
        if case .live(let token) = self { token } else { nil }
    }
}
