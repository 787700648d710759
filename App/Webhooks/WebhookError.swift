/// The reason why a webhook is invalid or why a delivery failed. It contains neither a secret nor the path or query of
/// the URL, and only the status of the response.
public enum WebhookError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The URL has another scheme than `https`, or than `http` for private addresses; or it has no host, one with a dot
    /// at the end, an invalid port, a user, a password, or a fragment.
    case invalidURL
    /// A webhook has no secret, or the text of one is not `whsec_` and the base64 of 24 to 64 bytes.
    case invalidSecret
    /// The id of an event is empty, or has characters that are not printable ASCII, or a `.`.
    case invalidID
    /// The host has an address that is not public.
    case privateAddress(host: String)
    /// The time limit has passed.
    case timedOut(host: String)
    /// The name has no address, the connection or TLS failed, or the response is no HTTP.
    case failed(host: String, reason: String)
    /// The status of the response is not from 200 to 299. A redirect is a failure.
    case refused(host: String, status: Int)

    public var description: String {
        switch self {
        case .invalidURL: "the URL of a webhook must have https, a host, a port up to 65535, no user and no fragment"
        case .invalidSecret: "a webhook needs secrets: 'whsec_' and the base64 of 24 to 64 bytes"
        case .invalidID: "the id of an event must have printable ASCII characters without '.'"
        case .privateAddress(let host): "the webhook's host \(host) has an address that is not public"
        case .timedOut(let host): "the webhook's host \(host) did not respond within the time limit"
        case .failed(let host, let reason): "the delivery to the webhook's host \(host) failed: \(reason)"
        case .refused(let host, let status): "the webhook's host \(host) responded with status \(status)"
        }
    }
}

/// The reason why a received message is not accepted: respond with status 401 or 400.
public enum WebhookSignatureError: Error, Hashable, Sendable {
    /// A header is missing.
    case missing(String)
    /// A header does not have the form of the scheme.
    case malformed(String)
    /// The timestamp differs from the receiver's clock by more than the tolerance.
    case expired
    /// No signature is by one of the secrets, for these bytes.
    case mismatch
}
