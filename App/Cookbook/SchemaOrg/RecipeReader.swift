internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

/// Parses one schema.org/Recipe object, and notes the properties that a recipe cannot represent.
struct RecipeReader {
    /// A draft, and the properties of the object that it does not contain.
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

    /// The types of an object, without the vocabulary's URL.
    static func types(of object: JSON) -> [String] {
        let types = object["@type"]?.elements.compactMap(\.text) ?? []
        return types.map { String($0.split { $0 == "/" || $0 == ":" || $0 == "#" }.last ?? "") }
    }

    /// Parses an object.
    ///
    /// - Throws: `SchemaOrgError` when it is not a recipe, or has no name.
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

    /// The value of a property, which is then marked as used.
    mutating func take(_ key: String) -> JSON? {
        known.insert(key)
        return object[key] == .null ? nil : object[key]
    }

    /// Notes that a recipe cannot represent a property, or a part of it.
    mutating func note(_ what: String) {
        notKept.append(what)
    }

    /// A property with one text; of several the first is used.
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

    /// The source's identity of the recipe: `identifier`, else `@id`, else `url`, else a digest of name and author.
    ///
    /// - Throws: `SchemaOrgError` for a number without exact representation: it could be confused with another one.
    private func identity(name: String, author: String?) throws(SchemaOrgError) -> String {
        for key in ["identifier", "@id", "url"] {
            for element in object[key]?.elements ?? [] {
                let value = element["value"] ?? element
                if case .number = value {
                    throw SchemaOrgError("has an \(key) that is neither text nor a 64-bit integer")
                }
                if let text = value.text { return text }
            }
        }
        return "digest:" + StableDigest.digest(of: [name, author ?? ""])
    }
}
