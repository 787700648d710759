public import LarderDomain
public import Logging

/// Identifies the caller of a request by its bearer token.
public protocol Authenticator<Caller>: Sendable {
    associatedtype Caller: ServiceCaller

    /// The caller that a token identifies now; `nil` if the token is not valid.
    ///
    /// Log the reason for refusing a token: the client gets the same response for all reasons.
    func caller(with token: String, logger: Logger) async throws -> Caller?
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

    public func caller(with token: String, logger: Logger) async throws -> Caller? {
        switch try await tokens.check(token) {
        case .live(let token):
            if let caller = try await caller(token.subject) { return caller }
            refusals.note("token without a subject", ["token": "\(token.id)"], to: logger)
        case .refused(let reason):
            refusals.note("token refused", ["reason": "\(reason)"], to: logger)
        }
        return nil
    }
}
