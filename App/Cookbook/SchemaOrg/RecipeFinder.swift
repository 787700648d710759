internal import LarderApp

/// Finds the recipes of a document: the value itself, the elements of arrays and graphs, and what other types contain.
///
/// - Complexity: O(*n*) for a document of bounded depth.
struct RecipeFinder {
    private enum Place {
        case top
        /// An element of an array.
        case list
        /// A node of a graph, or the content of another object.
        case graph
    }

    /// The properties of other types that contain recipes.
    private static let containers = ["@graph", "mainEntity", "mainEntityOfPage", "hasPart", "itemListElement", "item"]

    private let references: DocumentReferences
    private var contents: [RecipeItem.Content] = []

    private init(_ references: DocumentReferences) {
        self.references = references
    }

    static func contents(of document: JSON) -> [RecipeItem.Content] {
        var finder = RecipeFinder(DocumentReferences(in: document))
        finder.find(in: document, .top)
        return finder.contents
    }

    private mutating func find(in value: JSON, _ place: Place) {
        switch value {
        case .array(let elements):
            for element in elements { find(in: element, place == .graph ? .graph : .list) }
        case .object: findObject(in: value, place)
        case .null where place != .top: contents.append(.passedOver(type: "null"))
        case .bool(let bool) where place != .top: contents.append(.passedOver(type: bool ? "true" : "false"))
        default:
            contents.append(
                place == .graph ? .passedOver(type: "text or number") : .bad(SchemaOrgError("is not a JSON object")))
        }
    }

    private mutating func findObject(in object: JSON, _ place: Place) {
        let types = RecipeReader.types(of: object)
        if types.contains("Recipe") {
            if references.isReference(object) { return }
            do throws(SchemaOrgError) {
                contents.append(.recipe(try RecipeReader.read(object, in: references)))
            } catch {
                contents.append(.bad(error))
            }
            if let graph = object["@graph"] { find(in: graph, .graph) }
            return
        }
        let hasGraph = object["@graph"] != nil
        if types.isEmpty, hasGraph {
            for key in Self.containers { if let value = object[key] { find(in: value, .graph) } }
            return
        }
        let inner = inner(of: object)
        if !inner.isEmpty || !types.isEmpty && place == .list || place == .graph || hasGraph {
            contents.append(.passedOver(type: types.first ?? "?"))
            contents += inner
        } else {
            contents.append(
                .bad(
                    SchemaOrgError(
                        types.isEmpty ? "has no @type" : "is not a Recipe but \(types.joined(separator: ", "))")))
        }
    }

    /// The recipes, also invalid ones, that an object of another type contains.
    private func inner(of object: JSON) -> [RecipeItem.Content] {
        var finder = RecipeFinder(references)
        for key in Self.containers { if let value = object[key] { finder.find(in: value, .graph) } }
        return finder.contents.filter { if case .passedOver = $0 { false } else { true } }
    }
}
