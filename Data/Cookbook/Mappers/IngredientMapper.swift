public import CookbookDomain
public import LarderData
internal import LarderDomain

/// Stores the ingredients of recipes.
public enum IngredientMapper: EntityMapper {
    /// The schema `ingredient`.
    public static let mapping = Mapping<Ingredient>(
        "ingredient", id: \.id,
        [
            .column("text", \.text),
            .column("quantity", \.quantity),
            .column("unit", \.unit),
            .reference("brand_id", \.brand, onDelete: .remove).indexed,
        ])

    public static func entity(from row: inout ObjectReader) throws -> Ingredient {
        try Ingredient(
            id: row.id(), text: row.next(), quantity: row.next(), unit: row.next(), brand: row.next(), limits: .stored)
    }
}
