public import CookbookDomain
public import LarderData
internal import LarderDomain

/// Stores recipes with their steps and ingredients.
public enum RecipeMapper: EntityMapper {
    /// The schema `recipe`.
    public static let mapping = Mapping<Recipe>(
        "recipe", id: \.id,
        [
            .column("name", \.name).folded.indexed,
            .column("summary", \.summary),
            .column("author", \.author),
            .column("published", \.published).indexed,
            .column("difficulty", \.difficulty),
            .column("rating", \.rating).indexed,
            .column("preparation_minutes", \.preparationMinutes),
            .column("cooking_minutes", \.cookingMinutes),
            .derived("total_minutes", \.totalMinutes).indexed,
            .column("yield", \.yield),
            .column("completed", \.completed),
            .reference("photo_id", \.photo, onDelete: .remove, owned: true),
            .column("source_identifier", \.sourceIdentifier).unique,
            .column("created_at", \.createdAt),
            .reference("owner_id", \.owner, onDelete: .refuse).owner.indexed,
            .children("steps", \.steps, StepMapper.self),
            .children("ingredients", \.ingredients, IngredientMapper.self),
            .links("tags", \.tags, onDelete: .remove),
            .search(
                "words",
                [
                    SearchField(weight: 8) { [$0.name] }, SearchField(weight: 4) { $0.ingredients.map(\.text) },
                    SearchField(weight: 1) { $0.steps.map(\.text) },
                ]),
        ], dropped: ["folded_name"])

    public static var readModels: [any ReadModelMapper.Type] { [RecipeLineMapper.self] }

    public static func entity(from row: inout ObjectReader) throws -> Recipe {
        try Recipe(
            id: row.id(), name: row.next(), summary: row.next(), author: row.next(), published: row.next(),
            difficulty: row.next(), rating: row.next(), preparationMinutes: row.next(), cookingMinutes: row.next(),
            yield: row.next(), completed: row.next(), photo: row.next(), sourceIdentifier: row.next(),
            createdAt: row.next(), owner: row.next(), steps: row.children(StepMapper.self),
            ingredients: row.children(IngredientMapper.self), tags: row.links(), limits: .stored)
    }
}
