import LarderData

enum DishMapper: EntityMapper {
    static let mapping = Mapping<Dish>(
        "dish", id: \.id,
        [
            .column("name", \.name),
            .column("summary", \.summary),
            .column("author", \.author),
            .column("difficulty", \.difficulty),
            .column("rating", \.rating),
            .column("preparation_minutes", \.preparationMinutes),
            .column("cooking_minutes", \.cookingMinutes),
            .column("is_completed", \.isCompleted),
            .column("created_at", \.createdAt),
        ])

    static var readModels: [any ReadModelMapper.Type] { [DishLineMapper.self] }

    static func entity(from row: inout ObjectReader) throws -> Dish {
        try Dish(
            id: row.id(), name: row.next(), summary: row.next(), author: row.next(), difficulty: row.next(),
            rating: row.next(), preparationMinutes: row.next(), cookingMinutes: row.next(), isCompleted: row.next(),
            createdAt: row.next())
    }
}
