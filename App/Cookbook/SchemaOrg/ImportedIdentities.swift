internal import CookbookDomain

/// The identities of the recipes of one import. A second recipe with the identity of an earlier one is refused if it
/// seems to be a different recipe: it would replace the earlier one.
///
/// It has constant memory: after ``maximum`` identities, it compares further recipes with those only.
struct ImportedIdentities {
    /// The maximum number of identities.
    private static let maximum = 100_000

    private struct Recipe {
        let place: String
        let name: Int
        let author: Int?
        let parts: Int
    }

    private var recipes: [Int: Recipe] = [:]

    /// The item, or its error if it collides with an earlier one.
    ///
    /// - Parameter place: The place of the item, for later errors: `line 3`.
    /// - Complexity: O(*n*) in the length of the item.
    mutating func checked(_ item: RecipeItem, at place: @autoclosure () -> String) -> RecipeItem {
        guard case .recipe(let result) = item.content else { return item }
        let draft = result.draft
        let key = draft.sourceIdentifier.hashValue
        guard let earlier = recipes[key] else {
            if recipes.count < Self.maximum { recipes[key] = Self.recipe(draft, place()) }
            return item
        }
        let again = Self.recipe(draft, earlier.place)
        let reason: String
        if result.isIdentifiedByName {
            guard earlier.parts != again.parts else { return item }
            reason = "has the name and author of \(earlier.place), but is another recipe; add a url or an identifier"
        } else {
            let hasOtherAuthor = earlier.author != nil && again.author != nil && earlier.author != again.author
            guard earlier.name != again.name || hasOtherAuthor else { return item }
            let identity = draft.sourceIdentifier.prefix(80)
            reason =
                "has the identity of \(earlier.place), '\(identity)', but is another recipe; "
                + "correct its url or identifier"
        }
        return RecipeItem(position: item.position, content: .bad(SchemaOrgError(reason)))
    }

    private static func recipe(_ draft: RecipeDraft, _ place: String) -> Recipe {
        Recipe(
            place: place, name: draft.name.hashValue, author: draft.author?.hashValue,
            parts: (draft.ingredients.map(\.text) + draft.steps.map(\.text)).hashValue)
    }
}
