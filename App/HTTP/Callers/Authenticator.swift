public import LarderDomain
public import Logging

/// Identifies the caller of a request by its bearer token.
public protocol Authenticator<Caller>: Sendable {
    /// The callers of the service.
    associatedtype Caller: ServiceCaller

    /// The caller that a token identifies now; `nil` if the token is not valid.
    ///
    /// Log the reason for refusing a token: the client gets the same response for all reasons.
    func caller(with token: String, logger: Logger) async throws -> Caller?

    /// The caller that a token identifies now, with the restriction of the token; `nil` if the token is not valid.
    ///
    /// The default calls ``caller(with:logger:)``, and restricts no token.
    func authenticate(_ token: String, logger: Logger) async throws -> Authentication<Caller>?
}

extension Authenticator {
    public func authenticate(_ token: String, logger: Logger) async throws -> Authentication<Caller>? {
        try await caller(with: token, logger: logger).map { Authentication(caller: $0) }
    }
}

/// The caller that a token identifies.
public struct Authentication<Caller: ServiceCaller>: Sendable {
    /// The caller.
    public let caller: Caller
    /// The only permissions that the token gives; `nil` for all permissions of the caller.
    public let restriction: TokenRestriction?

    /// Identifies a caller; by default, with all of its permissions.
    public init(caller: Caller, restriction: TokenRestriction? = nil) {
        (self.caller, self.restriction) = (caller, restriction)
    }
}

/// Identifies callers by the access tokens of a store.
public struct AccessTokenAuthenticator<Caller: ServiceCaller>: Authenticator {
    private let tokens: AccessTokens
    private let caller: @Sendable (RawID) async throws -> Caller?
    private let refusals = RefusalLog()

    /// - Parameters:
    ///   - tokens: The tokens of a manager that can read all tokens.
    ///   - caller: The caller that is the subject of a token; `nil` if there is none.
    public init(_ tokens: AccessTokens, caller: @escaping @Sendable (RawID) async throws -> Caller?) {
        (self.tokens, self.caller) = (tokens, caller)
    }

    /// `nil` for a restricted token, too: it does not give the caller's permissions.
    public func caller(with token: String, logger: Logger) async throws -> Caller? {
        guard let found = try await authenticate(token, logger: logger), found.restriction == nil else { return nil }
        return found.caller
    }

    public func authenticate(_ token: String, logger: Logger) async throws -> Authentication<Caller>? {
        switch try await tokens.check(token) {
        case .live(let token):
            if let caller = try await caller(token.subject) {
                return Authentication(caller: caller, restriction: token.restriction)
            }
            refusals.note("token without a subject", ["token": "\(token.id)"], to: logger)
        case .refused(let reason):
            refusals.note("token refused", ["reason": "\(reason)"], to: logger)
        }
        return nil
    }
}
