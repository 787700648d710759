internal import LarderApp

/// An item of schema.org JSON.
struct RecipeItem {
    enum Content {
        case recipe(RecipeReader.Result)
        /// A different type in a graph, which is not an error.
        case passedOver(type: String)
        case bad(SchemaOrgError)
    }

    let line: Int
    let content: Content
}

extension RecipeItem {
    /// Parses a line, or an item that ``DocumentScanner`` found in a document.
    static func items(in bytes: ArraySlice<UInt8>, line: Int, isGraph: Bool) -> [RecipeItem] {
        do {
            return contents(of: try JSON(schemaOrg: bytes), isGraph: isGraph).map {
                RecipeItem(line: line, content: $0)
            }
        } catch {
            return [RecipeItem(line: line, content: .bad(error))]
        }
    }

    /// The contents of a value: itself, or the elements of its list or graph.
    private static func contents(of value: JSON, isGraph: Bool) -> [Content] {
        if case .array(let elements) = value { return elements.flatMap { contents(of: $0, isGraph: isGraph) } }
        if let graph = value["@graph"] { return graph.elements.flatMap { contents(of: $0, isGraph: true) } }
        guard case .object = value else { return [.bad(SchemaOrgError("is not a JSON object"))] }
        let types = RecipeReader.types(of: value)
        if isGraph, !types.contains("Recipe") { return [.passedOver(type: types.first ?? "?")] }
        do {
            return [.recipe(try RecipeReader.read(value))]
        } catch {
            return [.bad(error)]
        }
    }
}
