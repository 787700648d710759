internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

/// Reads one schema.org/Recipe object, and notes what a recipe has no place for.
struct RecipeReader {
    /// A draft, and the properties of the object that are not in it.
    struct Result {
        var draft: RecipeDraft
        var notKept: [String]
    }

    private let object: JSON
    private var known: Set<String> = ["@context", "@type", "@id", "identifier", "url"]
    private(set) var notKept: [String] = []

    private init(_ object: JSON) {
        self.object = object
    }

    /// The types of an object, without the vocabulary's address.
    static func types(of object: JSON) -> [String] {
        let types = object["@type"]?.elements.compactMap(\.text) ?? []
        return types.map { String($0.split { $0 == "/" || $0 == ":" || $0 == "#" }.last ?? "") }
    }

    /// Reads an object.
    ///
    /// - Throws: `SchemaOrgError` when it is no recipe, or one without a name.
    static func read(_ object: JSON) throws(SchemaOrgError) -> Result {
        let types = types(of: object)
        guard types.contains("Recipe") else {
            throw SchemaOrgError(
                types.isEmpty ? "has no @type" : "is not a Recipe but \(types.joined(separator: ", "))")
        }
        var reader = RecipeReader(object)
        return try reader.read()
    }

    private mutating func read() throws(SchemaOrgError) -> Result {
        guard let name = text("name") else { throw SchemaOrgError("has no name") }
        let author = author()
        var draft = RecipeDraft(sourceIdentifier: try identity(name: name, author: author), name: name)
        draft.summary = text("description")
        draft.author = author
        draft.published = day("datePublished")
        draft.preparationMinutes = minutes("prepTime")
        draft.cookingMinutes = minutes("cookTime")
        checkTotalTime(of: draft)
        draft.yield = yield()
        draft.tags = keywords()
        draft.ingredients = ingredients()
        draft.steps = steps(in: take("recipeInstructions"))
        draft.judgement = judgement()
        notKept += object.names.filter { !known.contains($0) }
        return Result(draft: draft, notKept: notKept)
    }

    /// The value of a property, which is thereby accounted for.
    mutating func take(_ key: String) -> JSON? {
        known.insert(key)
        return object[key] == .null ? nil : object[key]
    }

    /// Notes that a property, or a part of it, has no place in a recipe.
    mutating func note(_ what: String) {
        notKept.append(what)
    }

    /// A property that is one text; of several the first is taken.
    mutating func text(_ key: String) -> String? {
        guard let value = take(key) else { return nil }
        let (first, text) = (value.elements.first, value.elements.first?.text)
        if text == nil, first != .string("") {
            note(key)
        } else if value.elements.count > 1 {
            note("\(key) (more than one)")
        }
        return text
    }

    /// What the source recognises the recipe by: `identifier`, else `@id`, else `url`, else a digest of name and author.
    ///
    /// - Throws: `SchemaOrgError` for a number that is not known to the last digit: another might be taken for it.
    private func identity(name: String, author: String?) throws(SchemaOrgError) -> String {
        for key in ["identifier", "@id", "url"] {
            for element in object[key]?.elements ?? [] {
                let value = element["value"] ?? element
                if case .number = value {
                    throw SchemaOrgError("has an \(key) that is no whole number of 64 bits, and no text")
                }
                if let text = value.text { return text }
            }
        }
        return "digest:" + StableDigest.digest(of: [name, author ?? ""])
    }
}
