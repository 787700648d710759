internal import CookbookDomain
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP

extension ServiceRun {
    var firstAdmin: FirstAdmin {
        FirstAdmin(api.system, settings.server)
    }

    /// The token that is shown at this start: a developer's at each, else the first one of all; `nil` for none.
    func token() async throws -> (secret: TokenSecret, title: String)? {
        let admin = firstAdmin
        if settings.isDevelopment {
            let secret = try await admin.token(label: "development", lifetime: .seconds(86_400))
            return (secret, "Token for development, an admin's, holds for a day")
        }
        return try await admin.tokenIfNeeded().map { ($0, "First admin token, shown this once") }
    }

    /// Says where the service is, and the token.
    func announce(port: Int, _ token: (secret: TokenSecret, title: String)?) {
        let address = settings.server.address(port: port)
        var lines = ["Larder serves \(address)/ and describes itself at \(address)/docs"]
        if let token { lines.append("\(token.title): \(token.secret.text)") }
        lines.append("Kept in \(settings.store.location)")
        // Whoever closed standard output does not want to know.
        for line in lines { try? Terminal.output(line) }
    }
}
