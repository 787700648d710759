internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

extension OpenCookbook {
    /// A refusal in the words of people: who may not do what, by name.
    ///
    /// - Parameter what: Such as "changing recipe" with an id.
    func refusal(of what: String) async throws -> CommandFailure {
        var words = what.split(separator: " ").map(String.init)
        if let id = words.last, words.count > 1, let name = try await name(of: words[words.count - 2], id) {
            words[words.count - 1] = name
        }
        let who = user.map { " to \($0.email)" } ?? ""
        return CommandFailure(
            .forbidden, "not allowed\(who): \(words.joined(separator: " "))",
            advice: "Ask as somebody who may, with --as EMAIL.")
    }

    /// The name of an entity, as far as the one who asks may see it.
    private func name(of entity: String, _ id: String) async throws -> String? {
        func found<Model: Entity>(
            _ name: KeyPath<Model, String>, _ read: (EntityID<Model>) async throws -> Stored<Model>?
        ) async throws -> String? {
            guard entity == Model.entityName, let id = EntityID<Model>(id) else { return nil }
            return try await read(id)?.entity[keyPath: name]
        }
        if let name = try await found(\Recipe.name, { try await recipes.read($0) }) { return name }
        if let name = try await found(\Tag.name, { try await tags.read($0) }) { return name }
        if let name = try await found(\Brand.name, { try await brands.read($0) }) { return name }
        if let name = try await found(\Cookbook.name, { try await cookbooks.read($0) }) { return name }
        return try await found(\User.email) { try await users.read($0) }
    }
}
