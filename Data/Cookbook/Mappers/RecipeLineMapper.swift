public import CookbookDomain
public import LarderData
internal import LarderDomain

/// Reads lines of lists.
public enum RecipeLineMapper: ReadModelMapper {
    public static let mapping = ReadModelMapping<Recipe>([
        .column(\.name), .column(\.totalMinutes), .column(\.rating), .column(\.sourceIdentifier), .column(\.photo),
        .count(\.ingredients), .count(\.steps),
    ])

    public static func model(from row: inout ObjectReader) throws -> RecipeLine {
        try RecipeLine(
            id: row.id(), name: row.next(), totalMinutes: row.next(), rating: row.next(),
            sourceIdentifier: row.next(), photo: row.next(), ingredients: row.next(), steps: row.next())
    }
}
