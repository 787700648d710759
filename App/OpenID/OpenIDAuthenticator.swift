internal import LarderDomain
public import LarderHTTP
public import Logging

/// Identifies callers by the signed tokens (JSON Web Tokens) of an OpenID Connect provider.
///
/// ```swift
/// OpenIDAuthenticator<SignedInUser>(configuration) { claims in
///     SignedInUser(key: claims.key, isLibrarian: claims.texts("roles").contains("librarian"))
/// }
/// ```
///
/// The keys are fetched for the first token, and kept in memory.
public struct OpenIDAuthenticator<Caller: ServiceCaller>: Authenticator {
    private let configuration: OpenIDConfiguration
    private let keys: OpenIDKeys
    private let now: @Sendable () -> Timestamp
    private let caller: @Sendable (OpenIDClaims) async throws -> Caller?
    private let refusals = RefusalLog()

    /// - Parameters:
    ///   - configuration: The issuer, and what its tokens need.
    ///   - caller: The caller of a valid token; `nil` refuses the token.
    public init(
        _ configuration: OpenIDConfiguration, caller: @escaping @Sendable (OpenIDClaims) async throws -> Caller?
    ) {
        self.init(configuration, now: Timestamp.now, uptime: { .now }, caller: caller)
    }

    init(
        _ configuration: OpenIDConfiguration, now: @escaping @Sendable () -> Timestamp,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant,
        caller: @escaping @Sendable (OpenIDClaims) async throws -> Caller?
    ) {
        (self.configuration, self.now, self.caller) = (configuration, now, caller)
        keys = OpenIDKeys(configuration, now: uptime)
    }

    /// - Throws: A ``LarderHTTP/Problem`` with status 503 if the keys are unknown, and the errors of `caller`.
    public func caller(with token: String, logger: Logger) async throws -> Caller? {
        let claims: OpenIDClaims
        do {
            let token = try SignedToken(token, configuration)
            let keys = try await keys.set(with: token.keyID, logger)
            claims = try token.claims(keys, configuration, at: now())
        } catch let reason as TokenRefusal {
            refusals.note("token refused", ["reason": "\(reason.rawValue)"], to: logger)
            return nil
        }
        if let caller = try await caller(claims) { return caller }
        refusals.note("token without a caller", ["issuer": "\(claims.issuer)"], to: logger)
        return nil
    }
}
