internal import CookbookDomain
internal import LarderDomain
internal import LarderHTTP

/// Admins, by their e-mail addresses.
extension OpenCookbook: OperatorRegistry {
    var nameForm: String { "an e-mail address" }
    var standardName: String { "admin@localhost" }

    func operators() async throws -> [RawID] {
        try await users.read().entities.filter { $0.role == .admin }.map(\.id.rawValue)
    }

    func isTaken(_ email: String) async throws -> Bool {
        _ = try User(id: ids.next(), email: email, firstName: "First", lastName: "Admin", role: .admin)
        return try await users.withEmail(email) != nil
    }

    func register(_ email: String) async throws -> RawID {
        let user = try await registerUser.execute(
            .init(email: email, firstName: "First", lastName: "Admin", role: .admin))
        return user.id.rawValue
    }
}
