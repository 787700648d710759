internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

/// Parses one schema.org/Recipe object, and notes values that a recipe cannot represent.
struct RecipeReader {
    /// A draft, and the parts of the object that it omits.
    struct Result {
        var draft: RecipeDraft
        /// Names of properties, with the reason in parentheses if the property itself is known; each once.
        var notKept: [String]
        /// Whether only name and author identify the recipe.
        var isIdentifiedByName = false
    }

    private let object: JSON
    /// The other objects of the document.
    let references: DocumentReferences
    /// Whether texts may contain HTML. An export of this program states that its texts do not.
    let hasHTML: Bool
    private var known: Set<String> = [
        "@context", "@type", "@id", "identifier", "url", "mainEntityOfPage", OwnProperty.plainText,
    ]
    private(set) var notKept: [String] = []

    private init(_ object: JSON, _ references: DocumentReferences) {
        (self.object, self.references) = (object, references)
        hasHTML = object[OwnProperty.plainText] != .bool(true)
    }

    /// The types of an object, without the vocabulary's URL.
    static func types(of object: JSON) -> [String] {
        let types = object["@type"]?.elements.compactMap(\.text) ?? []
        return types.map { String($0.split { $0 == "/" || $0 == ":" || $0 == "#" }.last ?? "") }
    }

    /// Parses an object.
    ///
    /// - Parameter references: The objects of its document, for an author that is only a reference.
    /// - Throws: `SchemaOrgError` when it is not a recipe, or has no name.
    static func read(
        _ object: JSON, in references: DocumentReferences = DocumentReferences()
    ) throws(SchemaOrgError) -> Result {
        let types = types(of: object)
        guard types.contains("Recipe") else {
            throw SchemaOrgError(
                types.isEmpty ? "has no @type" : "is not a Recipe but \(types.joined(separator: ", "))")
        }
        var reader = RecipeReader(object, references)
        return try reader.read()
    }

    private mutating func read() throws(SchemaOrgError) -> Result {
        guard let name = firstText("name").flatMap({ line($0, of: "name") }) else {
            throw SchemaOrgError("has no name")
        }
        let author = author()
        let identity = try RecipeIdentity(of: object, name: name, author: author)
        var draft = RecipeDraft(sourceIdentifier: identity.identifier, name: name)
        draft.former = identity.former
        draft.summary = firstText("description").flatMap { text($0, of: "description") }
            .map { fitted($0, Recipe.maximumSummary, "description") }
        draft.author = author
        draft.published = day("datePublished")
        times(into: &draft)
        draft.yield = yield()
        draft.tags = keywords()
        draft.ingredients = ingredients()
        draft.steps = steps()
        draft.judgement = judgement()
        notKept += identity.notKept
        notKept += object.names.filter { !known.contains($0) }
        var seen: Set<String> = []
        return Result(
            draft: draft, notKept: notKept.filter { seen.insert($0).inserted }, isIdentifiedByName: identity.isByName)
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

    /// Notes the unsupported members of an object.
    mutating func noteAll(of object: JSON, but known: Set<String>, in name: String) {
        for key in object.names where !known.contains(key) && !key.hasPrefix("@") { note("\(name).\(key)") }
    }
}

/// The names of extension properties.
enum OwnProperty {
    static let difficulty = "larder:difficulty"
    static let rating = "larder:rating"
    static let completed = "larder:completed"
    /// One object or null for each of `recipeIngredient`, with `quantity` and `unit`.
    static let measures = "larder:measures"
    /// Whether the texts are plain, so that `&amp;` and `<b>` in them are not HTML.
    static let plainText = "larder:plainText"
}
