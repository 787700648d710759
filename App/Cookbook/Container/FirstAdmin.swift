internal import CookbookDomain
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP

/// Sees to it that somebody can get in: a service without an admin's token could be used by nobody.
struct FirstAdmin: Sendable {
    /// What the program itself works with.
    let cookbook: OpenCookbook
    /// Who is made where there is no admin yet; `nil` where that must have been said.
    let email: String?
    /// Whether a developer gets a token at each start.
    let isDevelopment: Bool

    /// For a service with some settings. Only one that nobody but this machine can reach makes somebody by itself.
    init(_ cookbook: OpenCookbook, _ settings: CookbookSettings) {
        self.cookbook = cookbook
        let isLocal = settings.service.server.isLoopback && settings.service.server.tls == .none
        isDevelopment = settings.service.isDevelopment
        email = settings.firstAdmin ?? (isLocal ? "admin@localhost" : nil)
    }

    /// Looks, before anybody is served, whether there is an admin, or can be one.
    ///
    /// - Throws: `CommandFailure` saying why not.
    func check() async throws {
        guard try await admins().isEmpty else { return }
        let newcomer = try newcomer()
        guard try await cookbook.users.withEmail(newcomer.email) != nil else { return }
        throw CommandFailure(
            .conflict, "'\(newcomer.email)' is to be the first admin, and is there already without being one",
            advice: "Name another address with --http-first-admin or \(Setting.firstAdmin.variable).")
    }

    /// The token that is shown at this start: a developer's at each start, else the first one; `nil` for none.
    func tokenToShow() async throws -> (secret: TokenSecret, title: String)? {
        if isDevelopment {
            let secret = try await token(label: "development", lifetime: .seconds(86_400))
            return (secret, "Token for development, an admin's, holds for a day")
        }
        return try await tokenIfNeeded().map { ($0, "First admin token, shown this once") }
    }

    /// A token for an admin, where no admin has one that holds; `nil` where one has.
    private func tokenIfNeeded() async throws -> TokenSecret? {
        let now = cookbook.now()
        for admin in try await admins() {
            let tokens = try await cookbook.tokens.issued(to: admin.id.rawValue)
            if tokens.contains(where: { $0.refusal(at: now) == nil }) { return nil }
        }
        return try await token(label: "first admin", lifetime: AccessToken.standardLifetime)
    }

    /// A token for an admin, who is made where there is none.
    private func token(label: String, lifetime: Duration) async throws -> TokenSecret {
        let known = try await admins().first
        let admin = if let known { known } else { try await register() }
        return try await cookbook.tokens.issue(to: admin.id.rawValue, label: label, lifetime: lifetime).secret
    }

    private func admins() async throws -> [User] {
        try await cookbook.users.read().entities.filter { $0.role == .admin }
    }

    private func newcomer() throws -> RegisterUser.Request {
        let advice = "Name an e-mail address with --http-first-admin or \(Setting.firstAdmin.variable)."
        guard let email else {
            throw CommandFailure(
                .configuration, "there is no admin yet, and nobody said who is to be the first", advice: advice)
        }
        let request = RegisterUser.Request(email: email, firstName: "First", lastName: "Admin", role: .admin)
        do throws(InvalidField) {
            _ = try User(
                id: cookbook.ids.next(), email: request.email, firstName: request.firstName,
                lastName: request.lastName, role: request.role)
            return request
        } catch {
            throw CommandFailure(.configuration, "'\(email)' cannot be the first admin: \(error)", advice: advice)
        }
    }

    private func register() async throws -> User {
        try await cookbook.registerUser.execute(try newcomer()).entity
    }
}
