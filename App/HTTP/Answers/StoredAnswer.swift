internal import Crypto
public import LarderDomain

/// The stored response to a request with an idempotency key.
public struct StoredAnswer: Entity {
    /// The first 16 bytes of the digest of caller, method, route and key.
    public let id: EntityID<StoredAnswer>
    /// The SHA-256 of the request's body.
    public let requestDigest: [UInt8]
    /// The response.
    public let answer: Answer
    /// When it was stored; it expires ``AnswerLimits/lifetime`` later.
    public let createdAt: Timestamp
    /// The first 16 bytes of the caller's digest; `nil` in a response of a version without quotas.
    public let caller: RawID?

    /// Makes a stored answer.
    ///
    /// - Throws: `InvalidField` naming `requestDigest`.
    init(
        id: EntityID<StoredAnswer>, requestDigest: [UInt8], answer: Answer, createdAt: Timestamp, caller: RawID?
    ) throws(InvalidField) {
        guard requestDigest.count == SHA256Digest.byteCount else {
            throw InvalidField(Self.self, "requestDigest", "must have \(SHA256Digest.byteCount) bytes")
        }
        (self.id, self.requestDigest, self.answer) = (id, requestDigest, answer)
        (self.createdAt, self.caller) = (createdAt, caller)
    }
}
