internal import Crypto
internal import LarderApp
public import LarderDomain

/// A stored bearer token: the digest that identifies it, its subject, and its validity.
public struct AccessToken: Entity {
    /// The first 16 bytes of the digest.
    public let id: EntityID<AccessToken>
    /// The SHA-256 of the secret's 32 bytes.
    public let digest: [UInt8]
    /// The owner of the token: the id of an entity of the schema that the mapping names.
    public let subject: RawID
    /// The purpose of the token, in 1 to 100 characters.
    public let label: String
    /// The time of issue.
    public let createdAt: Timestamp
    /// The end of validity; at most ``longestLifetime`` after the time of issue.
    public let expiresAt: Timestamp
    /// The time of revocation; `nil` for a token that is not revoked.
    public let revokedAt: Timestamp?
    /// The only permissions that the token gives; `nil` for all permissions of its owner.
    public let restriction: TokenRestriction?

    /// 365 days.
    public static let longestLifetime = Duration.seconds(365 * 86_400)
    /// 90 days.
    public static let standardLifetime = Duration.seconds(90 * 86_400)

    /// - Throws: `InvalidField` naming `digest`, `label` or `expiresAt`.
    init(
        digest: [UInt8], subject: RawID, label: String, createdAt: Timestamp, expiresAt: Timestamp,
        revokedAt: Timestamp? = nil, restriction: TokenRestriction? = nil
    ) throws(InvalidField) {
        guard digest.count == SHA256Digest.byteCount else {
            throw InvalidField(Self.self, "digest", "must have \(SHA256Digest.byteCount) bytes")
        }
        guard !label.isEmpty, label.utf8.count <= 100 || label.count <= 100 else {
            throw InvalidField(Self.self, "label", "must have 1 to 100 characters")
        }
        guard label.unicodeScalars.contains(where: { !$0.properties.isWhitespace }),
            !label.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw InvalidField(Self.self, "label", "must not be blank or contain control characters") }
        guard createdAt < expiresAt, expiresAt <= createdAt.adding(Self.longestLifetime) else {
            throw InvalidField(Self.self, "expiresAt", "must be at most 365 days after the token is issued")
        }
        id = EntityID(RawID(firstOf: digest))
        (self.digest, self.subject, self.label) = (digest, subject, label)
        (self.createdAt, self.expiresAt, self.revokedAt) = (createdAt, expiresAt, revokedAt)
        self.restriction = restriction
    }

    /// A new label in normalization form C. Labels that are stored already may have more code points.
    ///
    /// - Throws: `InvalidField` naming `label`.
    static func composed(label: String) throws(InvalidField) -> String {
        do {
            return try label.composed(atMost: 100)
        } catch {
            if case .tooLong = error { throw InvalidField(Self.self, "label", "must have 1 to 100 characters") }
            throw InvalidField(Self.self, "label", error.description)
        }
    }

    /// The same token, revoked. A revoked token keeps its time of revocation.
    func revoked(at now: Timestamp) throws(InvalidField) -> AccessToken {
        try AccessToken(
            digest: digest, subject: subject, label: label, createdAt: createdAt, expiresAt: expiresAt,
            revokedAt: revokedAt ?? now, restriction: restriction)
    }

    /// The reason why the token is not valid at an instant; `nil` if it is valid.
    public func refusal(at now: Timestamp) -> TokenRefusal? {
        if revokedAt != nil { return .revoked }
        return now < expiresAt ? nil : .expired
    }
}

/// The reason why a token is refused. For logs only: responses must not let callers distinguish the reasons.
public enum TokenRefusal: String, Error, Sendable, CaseIterable {
    /// The text is not the form of a token.
    case malformed
    /// The token was never issued, was purged, or was deleted with its owner.
    case unknown
    /// The token has expired.
    case expired
    /// The token was revoked.
    case revoked
}
