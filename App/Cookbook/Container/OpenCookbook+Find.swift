internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

extension OpenCookbook {
    /// The one recipe that a person means by an id, by what it is called outside, or by its name in any case.
    ///
    /// - Throws: `CommandFailure` when there is none, or when several have the name.
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
            .notFound, "no recipe is called '\(text)'", advice: "See 'larder list --name TEXT' for what there is.")
    }

    /// The one tag that a person means: the one in exactly this spelling, else the only one in any case.
    ///
    /// - Throws: `CommandFailure` when there is none, or when several differ from the text only in case.
    func tag(_ text: String) async throws -> Tag {
        let spellings = try await tagSpellings(of: text)
        if let exact = spellings.first(where: { $0.name == text }) ?? (spellings.count == 1 ? spellings[0] : nil) {
            return exact
        }
        let choices = spellings.map(\.name).joined(separator: ", ")
        throw CommandFailure(.notFound, "no tag is spelled '\(text)'", advice: "Choose one: \(choices)")
    }

    /// All tags with a name in any case, at least one.
    ///
    /// - Throws: `CommandFailure` when there is none.
    func tagSpellings(of text: String) async throws -> [Tag] {
        let found = try await tags.named([text]).map(\.entity)
        guard found.isEmpty else { return found }
        throw CommandFailure(.notFound, "there is no tag '\(text)'", advice: "See 'larder tags' for what there is.")
    }
}
