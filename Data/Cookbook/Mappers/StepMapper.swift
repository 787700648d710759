public import CookbookDomain
public import LarderData
internal import LarderDomain

/// Stores the steps of recipes.
public enum StepMapper: EntityMapper {
    /// The schema `step`.
    public static let mapping = Mapping<Step>(
        "step", id: \.id,
        [
            .column("text", \.text),
            .column("timer_seconds", \.timerSeconds),
            .reference("photo_id", \.photo, onDelete: .remove, owned: true),
        ])

    public static func entity(from row: inout ObjectReader) throws -> Step {
        try Step(id: row.id(), text: row.next(), timerSeconds: row.next(), photo: row.next(), limits: .stored)
    }
}
