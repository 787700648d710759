internal import Crypto
public import LarderDomain

/// The stored response to a request with an idempotency key.
public struct StoredResponse: Entity {
    /// The first 16 bytes of the digest of caller, method, route and key.
    public let id: EntityID<StoredResponse>
    /// The SHA-256 of the request's body.
    public let requestDigest: [UInt8]
    /// The response.
    public let content: ResponseContent
    /// When it was stored; it expires ``ResponseLimits/lifetime`` later.
    public let createdAt: Timestamp
    /// The first 16 bytes of the caller's digest; `nil` in a response of a version without quotas.
    public let caller: RawID?

    /// Makes a stored response.
    ///
    /// - Throws: `InvalidField` naming `requestDigest`.
    init(
        id: EntityID<StoredResponse>, requestDigest: [UInt8], content: ResponseContent, createdAt: Timestamp,
        caller: RawID?
    ) throws(InvalidField) {
        guard requestDigest.count == SHA256Digest.byteCount else {
            throw InvalidField(Self.self, "requestDigest", "must have \(SHA256Digest.byteCount) bytes")
        }
        (self.id, self.requestDigest, self.content) = (id, requestDigest, content)
        (self.createdAt, self.caller) = (createdAt, caller)
    }
}
