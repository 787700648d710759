import LarderApp

/// A text property of schema.org, with the names that an error may use for it.
struct ImportField: CustomStringConvertible, Sendable {
    let property: String
    /// The name of the recipe's field.
    let field: String

    var description: String { property }

    static let all = [
        ImportField(property: "name", field: "name"), ImportField(property: "identifier", field: "sourceIdentifier"),
        ImportField(property: "description", field: "summary"), ImportField(property: "author", field: "author"),
        ImportField(property: "recipeYield", field: "yield"), ImportField(property: "keywords", field: "tag"),
        ImportField(property: "recipeIngredient", field: "ingredient"),
        ImportField(property: "recipeInstructions", field: "step"),
    ]

    /// A recipe with a given text in this property.
    ///
    /// - Parameter number: Distinguishes it from other recipes.
    func recipe(_ text: String, number: Int = 0) -> JSON {
        let members = [
            JSON.Member("@type", .string("Recipe")), .init("@id", .string("https://a.example/\(number)")),
            .init("name", .string("Stew")),
        ]
        return .object(members.filter { $0.name != property } + [.init(property, .string(text))])
    }
}
