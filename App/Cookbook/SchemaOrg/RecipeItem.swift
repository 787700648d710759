internal import CookbookDomain
internal import LarderApp

/// An item of schema.org JSON.
struct RecipeItem {
    enum Content {
        case recipe(RecipeReader.Result)
        /// A value of a different type among others, which is not an error.
        case passedOver(type: String)
        case bad(SchemaOrgError)
    }

    /// The number of a line, or of an item in a document, not counting items that are passed over.
    enum Position: Comparable {
        case line(Int)
        case item(Int)

        var number: Int {
            switch self {
            case .line(let number), .item(let number): number
            }
        }
    }

    let position: Position
    let content: Content

    /// The draft of a recipe; `nil` for other contents.
    var draft: RecipeDraft? {
        if case .recipe(let result) = content { result.draft } else { nil }
    }
}

extension RecipeItem {
    /// The items of a line of JSON Lines.
    ///
    /// - Parameter count: The maximum number of values in the line.
    static func items(in line: LineCutter.Line, atMost count: Int = .max) -> [RecipeItem] {
        let position = Position.line(line.number)
        do {
            let json = try JSON(schemaOrg: line.bytes, atMost: count)
            return RecipeFinder.contents(of: json).map { RecipeItem(position: position, content: $0) }
        } catch {
            return [RecipeItem(position: position, content: .bad(error))]
        }
    }

    /// The items of a document.
    static func items(in document: JSON) -> [RecipeItem] {
        var number = 1
        return RecipeFinder.contents(of: document).map { content in
            let item = RecipeItem(position: .item(number), content: content)
            if case .passedOver = content { return item }
            number += 1
            return item
        }
    }
}

extension RecipeItem.Position: CustomStringConvertible {
    /// The position after the name of a file: `7` or `item 7`.
    var description: String {
        switch self {
        case .line(let number): "\(number)"
        case .item(let number): "item \(number)"
        }
    }
}
