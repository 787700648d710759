internal import CookbookDomain
internal import LarderDomain

/// A page of recipes as programs read it from `--json`.
struct RecipeListView: Encodable {
    struct Row: Encodable {
        let id: String
        let identifier: String
        let name: String
        let minutes: Int?
        let rating: Int
    }

    let recipes: [Row]
    let total: Int?
    let next: String?

    init(_ page: QueryPage<Recipe>) {
        recipes = page.entities.map {
            Row(
                id: $0.id.description, identifier: $0.outsideIdentifier, name: $0.name, minutes: $0.totalMinutes,
                rating: $0.rating)
        }
        total = page.total
        next = page.next?.rawValue
    }
}
