internal import Crypto
public import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Issues, recognises and takes back the tokens of one manager.
///
/// Recognising needs a manager that sees all tokens; for everything else a guarded one shows and changes what its caller
/// may.
public struct AccessTokens: Sendable {
    private let manager: any PersistencyManager
    private let prefix: String
    private let now: @Sendable () -> Timestamp
    private let random: @Sendable () -> UInt64

    /// Keeps tokens through a manager.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of secrets; see ``ServiceIdentity/tokenPrefix``.
    ///   - random: 64 bits that nobody can foresee, at each call; by default the system's.
    public init(
        manager: any PersistencyManager, prefix: String, now: @escaping @Sendable () -> Timestamp = Timestamp.now,
        random: @escaping @Sendable () -> UInt64 = AccessTokens.systemRandom
    ) {
        (self.manager, self.prefix, self.now, self.random) = (manager, prefix, now, random)
    }

    /// 64 bits from the system's source of chance.
    public static let systemRandom: @Sendable () -> UInt64 = {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }

    /// Makes a token and stores its digest.
    ///
    /// - Parameters:
    ///   - subject: The id of whose token it is.
    ///   - label: What it is for, in 1 to 100 characters.
    ///   - lifetime: How long it holds, at most ``AccessToken/longestLifetime``.
    /// - Returns: The secret, which nobody can show again, and what is stored.
    /// - Throws: `InvalidField` naming `label` or `expiresAt`; `dangling` when the subject is not stored.
    public func issue(
        to subject: RawID, label: String, lifetime: Duration = AccessToken.standardLifetime
    ) async throws -> (secret: TokenSecret, token: AccessToken) {
        let secret = TokenSecret(prefix: prefix, random: random)
        let present = now()
        let token = try AccessToken(
            digest: Array(secret.digest), subject: subject, label: try AccessToken.composed(label: label),
            createdAt: present, expiresAt: present.adding(lifetime))
        try await manager.create(token)
        return (secret, token)
    }

    /// The token that a text is the secret of, if it holds now; costs one point read.
    ///
    /// What the refusal says is for logs: to the caller all refusals look the same.
    public func check(_ text: String) async throws(PersistencyError) -> TokenCheck {
        guard let secret = TokenSecret(text, prefix: prefix) else { return .refused(.malformed) }
        let digest = secret.digest
        let id = EntityID<AccessToken>(RawID(firstOf: digest))
        // Comparing digests takes the same time wherever they differ.
        guard let token = try await manager.read(id)?.entity, digest == token.digest else { return .refused(.unknown) }
        return token.refusal(at: now()).map(TokenCheck.refused) ?? .live(token)
    }

    /// The tokens of a subject that are stored, the latest first, with those that do not hold any more.
    public func issued(to subject: RawID) async throws(PersistencyError) -> [AccessToken] {
        let query = Query<AccessToken>(
            #Predicate { $0.subject == subject }, sort: [Sort(\.createdAt, .descending)])
        return try await manager.read(query).entities
    }

    /// Whether a subject has a token that is valid now.
    func hasLiveToken(_ subject: RawID) async throws(PersistencyError) -> Bool {
        let now = now()
        return try await issued(to: subject).contains { $0.refusal(at: now) == nil }
    }

    /// One page of the tokens of a subject, the latest first, with those that do not hold any more.
    ///
    /// - Parameters:
    ///   - limit: The most tokens.
    ///   - after: Where the page starts: `next` of the page before; `nil` for the first.
    ///   - includesTotal: Whether to count all tokens of the subject.
    public func page(
        of subject: RawID, limit: Int, after: Cursor? = nil, includesTotal: Bool = false
    ) async throws(PersistencyError) -> QueryPage<AccessToken> {
        var query = Query<AccessToken>(#Predicate { $0.subject == subject }, sort: [Sort(\.createdAt, .descending)])
        (query.limit, query.after, query.includesTotal) = (limit, after, includesTotal)
        return try await manager.read(query)
    }

    /// A stored token; `nil` when there is none for the caller.
    public func read(_ id: EntityID<AccessToken>) async throws(PersistencyError) -> AccessToken? {
        try await manager.read(id)?.entity
    }

    /// Takes a token back; nothing is written when it was already.
    ///
    /// - Throws: `notFound` when it is not stored, or the caller may not see it.
    @discardableResult
    public func revoke(_ id: EntityID<AccessToken>) async throws -> AccessToken {
        try await manager.transaction { manager in
            let token = try await manager.require(id).entity.revoked(at: now())
            return try await manager.update(token).stored.entity
        }
    }

    /// Deletes tokens that expired more than 30 days ago: until then it can be seen that they were.
    ///
    /// - Returns: How many were deleted, at most 100; call again until there is none.
    public func purge() async throws -> Int {
        let limit = now().adding(.seconds(-30 * 86_400))
        let expired = Query<AccessToken>(
            #Predicate { $0.expiresAt < limit }, sort: [Sort(\.expiresAt)], limit: 100)
        return try await manager.deleteAll(expired)
    }
}

/// Whether a text is the secret of a token that holds.
public enum TokenCheck: Sendable {
    /// It is.
    case live(AccessToken)
    /// It is not.
    case refused(TokenRefusal)

    /// The token that holds.
    public var token: AccessToken? {
        if case .live(let token) = self { token } else { nil }
    }
}
