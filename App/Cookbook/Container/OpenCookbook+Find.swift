public import CookbookDomain
public import LarderApp
internal import LarderDomain
public import LarderHTTP

extension OpenCookbook {
    /// The recipe with this id, external id, or name, ignoring case and diacritics.
    ///
    /// - Throws: `CommandFailure` when there is none, or when the name is ambiguous.
    func recipe(_ text: String) async throws -> Stored<Recipe> {
        if let id = EntityID<Recipe>(text), let found = try await recipes.read(id) { return found }
        if let found = try await recipes.fromSources([text]).first { return found }
        if let id = Recipe.id(inOutsideIdentifier: text), let found = try await recipes.read(id) { return found }
        let named = try await recipes.named(text)
        if let found = named.first, named.count == 1 { return found }
        guard named.isEmpty else {
            let choices = named.map(\.entity.outsideIdentifier).joined(separator: ", ")
            throw CommandFailure(
                .notFound, "\(named.count) recipes are named '\(text)'", advice: "Choose one: \(choices)")
        }
        throw CommandFailure(
            .notFound, "no recipe is named '\(text)'", advice: "See 'larder list --name TEXT' for a list.")
    }

    /// The tag with this name, ignoring case and diacritics.
    ///
    /// - Throws: `CommandFailure` when there is none.
    func tag(_ text: String) async throws -> Tag {
        if let found = try await tags.named([text]).first { return found.entity }
        throw CommandFailure(.notFound, "unknown tag '\(text)'", advice: "See 'larder tags' for a list.")
    }
}

extension OpenCookbook {
    /// The user, for an action that only users can perform.
    func requireUser(to action: String) throws(UserRequired) -> User {
        guard let user else { throw UserRequired(action) }
        return user
    }

    /// The user with an address (case-insensitive).
    ///
    /// - Throws: `CommandFailure` when the caller cannot see such a user.
    func user(_ email: String) async throws -> User {
        if let found = try await users.withEmail(email) { return found.entity }
        throw CommandFailure(
            .notFound, "no user has the e-mail '\(email)'", advice: "See 'larder users' for a list.")
    }

    /// The user's cookbook with this name, ignoring case and diacritics; without a name, the user's only cookbook.
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

    /// The visible cookbook with this name, ignoring case and diacritics, or id.
    ///
    /// - Throws: `CommandFailure` when there is none, or when there are several.
    func cookbook(_ text: String) async throws -> Cookbook {
        if let id = EntityID<Cookbook>(text), let found = try await cookbooks.read(id) { return found.entity }
        return try one(text, of: try await cookbooks.read().entities)
    }

    private func one(_ name: String, of cookbooks: [Cookbook]) throws(CommandFailure) -> Cookbook {
        let found = cookbooks.filter { $0.name.folded == name.folded }
        if found.count == 1 { return found[0] }
        guard found.isEmpty else {
            throw CommandFailure(
                .notFound, "\(found.count) cookbooks are named '\(name)'",
                advice: "Choose one by id: " + found.map(\.id.description).joined(separator: ", "))
        }
        throw CommandFailure(
            .notFound, "no cookbook is named '\(name)'", advice: "See 'larder cookbooks' for a list.")
    }

    /// The e-mail addresses of users whom the caller may see.
    func emails(of ids: [EntityID<User>]) async throws -> [EntityID<User>: String] {
        let found = try await users.read(Array(Set(ids)))
        return Dictionary(found.map { ($0.id, $0.email) }) { first, _ in first }
    }

    func recipeNames(_ ids: [EntityID<Recipe>]) async throws -> [EntityID<Recipe>: String] {
        let found = try await recipes.read(Array(Set(ids)))
        return Dictionary(found.map { ($0.id, $0.name) }) { first, _ in first }
    }
}

extension OpenCookbook {
    /// The error message of a refusal, with the names of the user and the entity.
    func refusal(of forbidden: Forbidden) async throws -> CommandFailure {
        var what = "\(forbidden)"
        if let id = forbidden.id, let name = try await name(of: forbidden.entity, id) {
            what = "\(forbidden.action.rawValue) \(forbidden.entity) \(name)"
        }
        let who = user.map { " for \($0.email)" } ?? ""
        return CommandFailure(
            .forbidden, "permission denied\(who): \(what)", advice: "Choose a permitted user with --as EMAIL.")
    }

    /// The name of an entity, if the caller may see it.
    private func name(of entity: String, _ id: RawID) async throws -> String? {
        func found<Model: Entity>(
            _ name: KeyPath<Model, String>, _ read: (EntityID<Model>) async throws -> Stored<Model>?
        ) async throws -> String? {
            guard entity == Model.entityName else { return nil }
            return try await read(EntityID(id))?.entity[keyPath: name]
        }
        if let name = try await found(\Recipe.name, { try await recipes.read($0) }) { return name }
        if let name = try await found(\Tag.name, { try await tags.read($0) }) { return name }
        if let name = try await found(\Brand.name, { try await brands.read($0) }) { return name }
        if let name = try await found(\Cookbook.name, { try await cookbooks.read($0) }) { return name }
        return try await found(\User.email) { try await users.read($0) }
    }
}

extension UserRequired: ServiceError, ProblemConvertible {
    public var exitStatus: ExitStatus { .usage }
    public var message: String { "only a user can \(action)" }
    public var advice: String? { "Choose a user with --as EMAIL; see 'larder users' for a list." }
    public var problem: Problem { Problem(.forbidden, "Only a user can \(action).") }
}
