public import LarderDomain

/// Exports recipes with the names of their tags, page by page.
public struct ExportRecipes: Sendable {
    /// A recipe with its tags, in the recipe's order.
    public struct Exported: Sendable, Equatable {
        /// The recipe.
        public let recipe: Recipe
        /// Its tags.
        public let tags: [Tag]

        /// Pairs a recipe with its tags.
        public init(_ recipe: Recipe, tags: [Tag]) {
            self.recipe = recipe
            self.tags = tags
        }
    }

    /// A page of recipes.
    public struct Page: Sendable {
        /// The recipes with their tags.
        public let recipes: [Exported]
        /// The start of the next page; `nil` for the last page.
        public let next: Cursor?
    }

    /// Small, because a page stays in memory until its receiver has finished, and a recipe may be as large as a line of
    /// an import.
    private static let pageSize = 8

    /// Each tag of a page is read once, however many recipes have it.
    private static let tags = GraphEdge { (recipe: Recipe) in recipe.tags }

    private let storage: CookbookStorage

    /// Makes the use case.
    public init(storage: CookbookStorage) {
        self.storage = storage
    }

    /// Exports the recipes that satisfy a filter in the order of ids, which is that of creation unless the clock was
    /// set back.
    ///
    /// Holds one page in memory and reads no photos. May or may not include recipes stored or deleted meanwhile.
    ///
    /// - Parameter receive: Receives a page. An error that it throws ends the export and is rethrown.
    public func execute(
        _ filter: RecipeFilter = RecipeFilter(), _ receive: ([Exported]) async throws -> Void
    ) async throws {
        var next: Cursor?
        repeat {
            let page = try await page(filter, after: next)
            try await receive(page.recipes)
            next = page.next
        } while next != nil
    }

    /// One page of an export, for a caller that requests each page when it has room.
    ///
    /// - Parameter after: The ``Page/next`` of the preceding page, with the same filter.
    public func page(_ filter: RecipeFilter, after: Cursor?) async throws -> Page {
        let request = RecipeListRequest(filter, sort: .stored, limit: Self.pageSize, after: after)
        let recipes = storage.repositories.recipes
        let page = try await recipes.list(request)
        let graph = try await recipes.manager.graph(from: page.items, following: [Self.tags])
        let exported = page.entities.map { Exported($0, tags: $0.tags.compactMap { graph[$0]?.entity }) }
        return Page(recipes: exported, next: page.next)
    }
}
