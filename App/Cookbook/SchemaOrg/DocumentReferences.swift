internal import LarderApp

/// The objects of a document that others refer to by `@id`.
struct DocumentReferences {
    /// The names of objects, by `@id`.
    private var names: [String: String] = [:]
    /// The `@id` of recipes with a name.
    private var recipes: Set<String> = []

    /// No references.
    init() {}

    /// Collects the objects with `@id` and a name.
    ///
    /// - Complexity: O(*n*).
    init(in document: JSON) {
        collect(document)
    }

    /// The name of the object with an `@id`; `nil` if the document has none.
    func name(of id: String) -> String? { names[id] }

    /// Whether an object only refers to a recipe of the document: it has its `@id`, and nothing else.
    func isReference(_ object: JSON) -> Bool {
        guard let id = object["@id"]?.text, recipes.contains(id) else { return false }
        return object.names.allSatisfy { ["@id", "@type", "@context"].contains($0) }
    }

    private mutating func collect(_ value: JSON) {
        switch value {
        case .array(let elements):
            for element in elements { collect(element) }
        case .object(let members):
            if let id = value["@id"]?.text, let name = value["name"]?.elements.first?.text {
                if names[id] == nil { names[id] = name }
                if RecipeReader.types(of: value).contains("Recipe") { recipes.insert(id) }
            }
            for member in members { collect(member.value) }
        default: break
        }
    }
}
