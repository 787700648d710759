internal import Crypto
public import LarderDomain

/// What is stored of a bearer token: by which digest it is recognised, whose it is, and how long it holds.
public struct AccessToken: Entity {
    /// The first 16 bytes of the digest.
    public let id: EntityID<AccessToken>
    /// The SHA-256 of the secret's 32 bytes.
    public let digest: [UInt8]
    /// Whose token it is: the id of an entity that the app names in the mapping.
    public let subject: RawID
    /// What it is for, in 1 to 100 characters.
    public let label: String
    /// When it was issued.
    public let createdAt: Timestamp
    /// From when on it does not hold any more; at most ``longestLifetime`` after it was issued.
    public let expiresAt: Timestamp
    /// Since when it is revoked; `nil` when it is not.
    public let revokedAt: Timestamp?

    /// 365 days.
    public static let longestLifetime = Duration.seconds(365 * 86_400)
    /// 90 days.
    public static let standardLifetime = Duration.seconds(90 * 86_400)

    /// - Throws: `InvalidField` naming `digest`, `label` or `expiresAt`.
    init(
        digest: [UInt8], subject: RawID, label: String, createdAt: Timestamp, expiresAt: Timestamp,
        revokedAt: Timestamp? = nil
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

    /// The same token, revoked; one that is revoked already stays so since when it was.
    func revoked(at now: Timestamp) throws(InvalidField) -> AccessToken {
        try AccessToken(
            digest: digest, subject: subject, label: label, createdAt: createdAt, expiresAt: expiresAt,
            revokedAt: revokedAt ?? now)
    }

    /// Why it does not hold at an instant; `nil` when it does.
    public func refusal(at now: Timestamp) -> TokenRefusal? {
        if revokedAt != nil { return .revoked }
        return now < expiresAt ? nil : .expired
    }
}

/// Why a token is not taken: for logs, and nothing that a caller may be told apart.
public enum TokenRefusal: String, Error, Sendable, CaseIterable {
    /// No token looks like this.
    case malformed
    /// It was never issued, or is long gone, or its owner is.
    case unknown
    /// It held, and does not any more.
    case expired
    /// It was taken back.
    case revoked
}
