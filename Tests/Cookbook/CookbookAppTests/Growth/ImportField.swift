import LarderApp

/// A property of schema.org that holds text, with the names by which a refusal may call it.
struct ImportField: CustomStringConvertible, Sendable {
    let property: String
    /// What the field of the recipe is called.
    let field: String

    var description: String { property }

    static let all = [
        ImportField(property: "name", field: "name"), ImportField(property: "identifier", field: "sourceIdentifier"),
        ImportField(property: "description", field: "summary"), ImportField(property: "author", field: "author"),
        ImportField(property: "recipeYield", field: "yield"), ImportField(property: "keywords", field: "tag"),
        ImportField(property: "recipeIngredient", field: "ingredient"),
        ImportField(property: "recipeInstructions", field: "step"),
    ]

    /// A recipe with a text in this property.
    func recipe(_ text: String) -> JSON {
        let members = [JSON.Member("@type", .string("Recipe")), .init("name", .string("Stew"))]
        return .object(members.filter { $0.name != property } + [.init(property, .string(text))])
    }
}
