public import LarderDomain

/// Gives recipes away with the names of their tags, a page at a time.
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

    /// Some of the recipes.
    public struct Page: Sendable {
        /// The recipes with their tags.
        public let recipes: [Exported]
        /// Where the next page begins; `nil` when this is the last.
        public let next: Cursor?
    }

    /// Few, since a page is in memory as long as its receiver takes, and a recipe may weigh as much as a line of an
    /// import.
    private static let pageSize = 8

    private let storage: CookbookStorage

    /// Makes the use case.
    public init(storage: CookbookStorage) {
        self.storage = storage
    }

    /// Hands over every recipe that a filter lets through, in the order of ids: that of creation, unless the clock was set back.
    ///
    /// It holds one page in memory and reads no photos. What is stored or deleted meanwhile may be in it or not.
    ///
    /// - Parameter receive: Takes one page; what it throws ends the export and is thrown on.
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

    /// One page of an export, for whoever asks for the next when there is room for it.
    ///
    /// - Parameter after: The ``Page/next`` of the page before, of the same filter.
    public func page(_ filter: RecipeFilter, after: Cursor?) async throws -> Page {
        let request = RecipeListRequest(filter, sort: .stored, limit: Self.pageSize, after: after)
        let page = try await storage.repositories.recipes.list(request)
        let tags = try await storage.repositories.tags.read(Array(Set(page.entities.flatMap(\.tags))))
        let byID = Dictionary(tags.map { ($0.id, $0.entity) }) { first, _ in first }
        let recipes = page.entities.map { Exported($0, tags: $0.tags.compactMap { byID[$0] }) }
        return Page(recipes: recipes, next: page.next)
    }
}
