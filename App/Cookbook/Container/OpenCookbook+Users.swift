internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

extension OpenCookbook {
    /// The user who asks for an action that only a user can perform.
    func requireUser(to action: String) throws(UserRequired) -> User {
        guard let user else { throw UserRequired(action) }
        return user
    }

    /// The user with an address, in any case.
    ///
    /// - Throws: `CommandFailure` when there is none for the one who asks.
    func user(_ email: String) async throws -> User {
        if let found = try await users.withEmail(email) { return found.entity }
        throw CommandFailure(
            .notFound, "no user has the e-mail '\(email)'", advice: "See 'larder users' for who there is.")
    }

    /// The one cookbook of a user with a name in any case; without a name, the only one.
    ///
    /// - Throws: `CommandFailure` when there is none, or when there are several.
    func cookbook(_ name: String?, of user: User) async throws -> Cookbook {
        let owned = try await cookbooks.owned(by: user.id).map(\.entity)
        guard !owned.isEmpty else {
            throw CommandFailure(
                .notFound, "\(user.email) has no cookbook",
                advice: "Add one: larder cookbooks add NAME --as \(user.email)")
        }
        if let name { return try one(name, of: owned) }
        if owned.count == 1 { return owned[0] }
        let choices = owned.map(\.name).joined(separator: ", ")
        throw CommandFailure(
            .usage, "\(user.email) has \(owned.count) cookbooks", advice: "Choose one with --cookbook: \(choices)")
    }

    /// The one cookbook, of all that may be seen, that a person means by its name in any case or by its id.
    ///
    /// - Throws: `CommandFailure` when there is none, or when there are several.
    func cookbook(_ text: String) async throws -> Cookbook {
        if let id = EntityID<Cookbook>(text), let found = try await cookbooks.read(id) { return found.entity }
        return try one(text, of: try await cookbooks.read().entities)
    }

    private func one(_ name: String, of cookbooks: [Cookbook]) throws(CommandFailure) -> Cookbook {
        let found = cookbooks.filter { $0.name.lowercased() == name.lowercased() }
        if found.count == 1 { return found[0] }
        guard found.isEmpty else {
            throw CommandFailure(
                .notFound, "\(found.count) cookbooks are named '\(name)'",
                advice: "Choose one by id: " + found.map(\.id.description).joined(separator: ", "))
        }
        throw CommandFailure(
            .notFound, "no cookbook is named '\(name)'", advice: "See 'larder cookbooks' for what there is.")
    }

    /// The addresses of users, of those that may be seen.
    func emails(of ids: [EntityID<User>]) async throws -> [EntityID<User>: String] {
        let found = try await users.read(Array(Set(ids)))
        return Dictionary(found.map { ($0.id, $0.email) }) { first, _ in first }
    }

    /// The names of recipes.
    func recipeNames(_ ids: [EntityID<Recipe>]) async throws -> [EntityID<Recipe>: String] {
        let found = try await recipes.read(Array(Set(ids)))
        return Dictionary(found.map { ($0.id, $0.name) }) { first, _ in first }
    }
}
