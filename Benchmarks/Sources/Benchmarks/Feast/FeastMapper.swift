import LarderData
import LarderDomain

enum FeastMapper: EntityMapper {
    static let mapping = Mapping<Feast>(
        "feast", id: \.id,
        [
            .column("name", \.name),
            .children("steps", \.steps, StepMapper.self),
            .children("ingredients", \.ingredients, IngredientMapper.self),
            .links("labels", \.labels, onDelete: .remove),
        ])

    static func entity(from row: inout ObjectReader) throws -> Feast {
        try Feast(
            id: row.id(), name: row.next(), steps: row.children(StepMapper.self),
            ingredients: row.children(IngredientMapper.self), labels: row.links())
    }

    enum StepMapper: EntityMapper {
        static let mapping = Mapping<Feast.Step>(
            "feast_step", id: \.id, [.column("text", \.text), .column("timer_seconds", \.timerSeconds)])

        static func entity(from row: inout ObjectReader) throws -> Feast.Step {
            try Feast.Step(id: row.id(), text: row.next(), timerSeconds: row.next())
        }
    }

    enum IngredientMapper: EntityMapper {
        static let mapping = Mapping<Feast.Ingredient>(
            "feast_ingredient", id: \.id, [.column("text", \.text), .column("quantity", \.quantity)])

        static func entity(from row: inout ObjectReader) throws -> Feast.Ingredient {
            try Feast.Ingredient(id: row.id(), text: row.next(), quantity: row.next())
        }
    }
}

enum LabelMapper: EntityMapper {
    static let mapping = Mapping<Label>("label", id: \.id, [.column("name", \.name)])

    static func entity(from row: inout ObjectReader) throws -> Label {
        try Label(id: row.id(), name: row.next())
    }
}
