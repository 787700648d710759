internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

/// Sees to it that somebody can get in: a service without an admin's token could be used by nobody.
struct FirstAdmin: Sendable {
    /// Who is made where there is no admin yet.
    static let email = "admin@localhost"

    /// What the program itself works with.
    let cookbook: OpenCookbook

    /// A token for an admin, where no admin has one that holds; `nil` where one has.
    func tokenIfNeeded() async throws -> TokenSecret? {
        let now = cookbook.now()
        for admin in try await admins() {
            let tokens = try await cookbook.tokens.issued(to: admin.id.rawValue)
            if tokens.contains(where: { $0.refusal(at: now) == nil }) { return nil }
        }
        return try await token(label: "first admin", lifetime: AccessToken.standardLifetime)
    }

    /// A token for an admin, who is made where there is none.
    func token(label: String, lifetime: Duration) async throws -> TokenSecret {
        let known = try await admins().first
        let admin = if let known { known } else { try await register() }
        return try await cookbook.tokens.issue(to: admin.id.rawValue, label: label, lifetime: lifetime).secret
    }

    private func admins() async throws -> [User] {
        try await cookbook.users.read().entities.filter { $0.role == .admin }
    }

    private func register() async throws -> User {
        try await cookbook.registerUser.execute(
            .init(email: Self.email, firstName: "First", lastName: "Admin", role: .admin)
        ).entity
    }
}
