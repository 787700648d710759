internal import CookbookDomain
internal import LarderDomain
internal import LarderHTTP

/// A token as programs read it from `--json`.
struct TokenView: Encodable {
    let id: String
    let user: String
    let label: String
    let createdAt: String
    let expiresAt: String
    /// `nil` when it is not revoked.
    let revokedAt: String?
    /// The secret; only in the answer that makes it.
    let token: String?

    init(_ token: AccessToken, of user: User, secret: TokenSecret? = nil) {
        id = token.id.description
        self.user = user.email
        label = token.label
        createdAt = token.createdAt.wholeSeconds.description
        expiresAt = token.expiresAt.wholeSeconds.description
        revokedAt = token.revokedAt?.wholeSeconds.description
        self.token = secret?.text
    }
}
