public import Logging

/// Chooses between two authenticators by the first characters of a token: those of the service's own tokens, and those
/// of an identity provider. Both must give a user the same ``ServiceCaller/key``.
public struct EitherAuthenticator<Caller: ServiceCaller>: Authenticator {
    private let prefix: String
    private let own: any Authenticator<Caller>
    private let other: any Authenticator<Caller>

    /// - Parameters:
    ///   - prefix: The first characters of the service's own tokens; see `ServiceIdentity.tokenPrefix`.
    ///   - own: Identifies the callers of tokens with the prefix.
    ///   - other: Identifies the callers of all other tokens.
    public init(prefix: String, _ own: any Authenticator<Caller>, other: any Authenticator<Caller>) {
        (self.prefix, self.own, self.other) = (prefix, own, other)
    }

    public func caller(with token: String, logger: Logger) async throws -> Caller? {
        try await chosen(token).caller(with: token, logger: logger)
    }

    public func authenticate(_ token: String, logger: Logger) async throws -> Authentication<Caller>? {
        try await chosen(token).authenticate(token, logger: logger)
    }

    private func chosen(_ token: String) -> any Authenticator<Caller> {
        token.utf8.starts(with: prefix.utf8) ? own : other
    }
}
