import LarderData

/// ``DishMapper`` with an encrypted summary.
enum SealedDishMapper: EntityMapper {
    static let mapping = Mapping<Dish>(
        "dish", id: \.id,
        [
            .column("name", \.name),
            .column("summary", \.summary, sealed: .content),
            .column("author", \.author),
            .column("difficulty", \.difficulty),
            .column("rating", \.rating),
            .column("preparation_minutes", \.preparationMinutes),
            .column("cooking_minutes", \.cookingMinutes),
            .column("is_completed", \.isCompleted),
            .column("created_at", \.createdAt),
        ])

    static func entity(from row: inout ObjectReader) throws -> Dish { try DishMapper.entity(from: &row) }
}
