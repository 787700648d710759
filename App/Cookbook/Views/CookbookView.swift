internal import CookbookDomain
internal import LarderDomain

/// A cookbook as programs read it from `--json`, and as a person reads it.
struct CookbookView: Encodable {
    struct Entry: Encodable {
        let id: String
        let name: String?
    }

    let id: String
    let name: String
    /// The owner's e-mail.
    let owner: String?
    let favourites: [Entry]
    /// The last one last.
    let history: [Entry]
    let createdAt: String?

    init(_ cookbook: Cookbook, owner: String?, recipeNames: [EntityID<Recipe>: String] = [:]) {
        func entries(_ ids: [EntityID<Recipe>]) -> [Entry] {
            ids.map { Entry(id: $0.description, name: recipeNames[$0]) }
        }
        id = cookbook.id.description
        name = cookbook.name
        self.owner = owner
        favourites = entries(cookbook.favourites)
        history = entries(cookbook.history)
        createdAt = cookbook.id.rawValue.creationTime?.description
    }

    var lines: [String] {
        func names(_ entries: [Entry]) -> [String] {
            entries.isEmpty ? ["  none yet"] : entries.map { "  - \($0.name ?? $0.id)" }
        }
        return [name, "", "Owner: \(owner ?? "somebody else")", "Id: \(id)", "", "Favourites"] + names(favourites)
            + ["", "Cooked, the last one first"] + names(history.reversed())
    }
}
