internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

extension OpenCookbook {
    /// A refusal in the words of people: who may not do what, by name.
    func refusal(of forbidden: Forbidden) async throws -> CommandFailure {
        var what = "\(forbidden)"
        if let id = forbidden.id, let name = try await name(of: forbidden.entity, id) {
            what = "\(forbidden.action.rawValue) \(forbidden.entity) \(name)"
        }
        let who = user.map { " to \($0.email)" } ?? ""
        return CommandFailure(
            .forbidden, "not allowed\(who): \(what)", advice: "Ask as somebody who may, with --as EMAIL.")
    }

    /// The name of an entity, as far as the one who asks may see it.
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
