#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Which tokens of an identity provider a service accepts, and how it fetches the provider's keys.
public struct OpenIDConfiguration: Sendable {
    /// An algorithm of signatures. None of them uses a shared secret, with which the service could make tokens.
    public enum Algorithm: String, CaseIterable, Sendable {
        /// ECDSA with the curve P-256.
        case es256 = "ES256"
        /// ECDSA with the curve P-384.
        case es384 = "ES384"
        /// Ed25519.
        case eddsa = "EdDSA"
        /// RSA with PKCS#1 v1.5.
        case rs256 = "RS256"
        /// RSA with PSS.
        case ps256 = "PS256"
    }

    /// The provider's name in the claim `iss`, and the start of the address of its metadata.
    public let issuer: String
    /// The service's names in the claim `aud`; a token needs one of them.
    public let audiences: Set<String>
    /// Whether the issuer and its keys may have `http`.
    public let permitsHTTP: Bool
    /// The permitted algorithms of tokens; by default all.
    public var algorithms = Set(Algorithm.allCases)
    /// The permitted difference between the clocks of the provider and the service.
    public var clockSkew = Duration.seconds(60)
    /// The age at which keys are fetched again before their next use.
    public var refreshInterval = Duration.seconds(300)
    /// The age up to which keys are used while they cannot be fetched again.
    public var staleLimit = Duration.seconds(86_400)
    /// The least time between the starts of two fetches, also for tokens with unknown keys.
    public var minimumInterval = Duration.seconds(10)
    /// The maximum time of a fetch of the metadata and the keys.
    public var timeLimit = Duration.seconds(5)
    /// The maximum size of the metadata, and of the keys.
    public var maximumBytes = 1_000_000
    /// The maximum number of keys.
    public var maximumKeys = 100

    /// - Parameters:
    ///   - issuer: The provider's URL with `https`, exactly as in its tokens, also with or without a `/` at the end.
    ///   - audiences: The names that the provider has for the service, of which there is at least one.
    ///   - permitsHTTP: Whether the issuer and its keys may have `http`: for development, because who can change the
    ///     traffic can then make tokens.
    /// - Throws: ``OpenIDError/invalidIssuer`` or ``OpenIDError/noAudience``.
    public init(issuer: String, audiences: Set<String>, permitsHTTP: Bool = false) throws(OpenIDError) {
        guard Self.isAddress(issuer, permitsHTTP: permitsHTTP), !issuer.contains(/[?#]/) else { throw .invalidIssuer }
        guard !audiences.isEmpty, !audiences.contains("") else { throw .noAudience }
        (self.issuer, self.audiences, self.permitsHTTP) = (issuer, audiences, permitsHTTP)
    }

    /// Whether a text is a URL of printable ASCII with a permitted scheme, a host, and no user.
    static func isAddress(_ text: String, permitsHTTP: Bool) -> Bool {
        guard text.utf8.allSatisfy({ (33...126).contains($0) }), let url = URL(string: text),
            let scheme = url.scheme?.lowercased(), let host = url.host
        else { return false }
        return (scheme == "https" || scheme == "http" && permitsHTTP) && !host.isEmpty && url.user == nil
    }
}

/// An invalid configuration, or the reason why an issuer's keys could not be fetched.
public enum OpenIDError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The issuer is not a URL with `https` and a host, or it has a user, a query or a fragment.
    case invalidIssuer
    /// There is no audience, or an empty one.
    case noAudience
    /// The fetch took longer than the limit.
    case timedOut
    /// The connection, TLS or HTTP failed.
    case failed(String)
    /// The status of a response is not 200. Redirects are not followed.
    case status(Int)
    /// A document has more bytes than the limit.
    case tooLarge
    /// A document is not the JSON that the standards require, or has too many keys, or keys at an address without `https`.
    case invalidDocument(String)
    /// The metadata is that of another issuer.
    case otherIssuer

    public var description: String {
        switch self {
        case .invalidIssuer: "the issuer must be a URL with https, a host, no user, no query and no fragment"
        case .noAudience: "tokens of an issuer need an audience: the name of the service at the issuer"
        case .timedOut: "the fetch took longer than the limit"
        case .failed(let reason): "the fetch failed: \(reason)"
        case .status(let code): "the response has the status \(code) instead of 200; redirects are not followed"
        case .tooLarge: "the document has more bytes than the limit"
        case .invalidDocument(let reason): "invalid document: \(reason)"
        case .otherIssuer: "the metadata names another issuer"
        }
    }
}
