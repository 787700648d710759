internal import GRDB
internal import Hummingbird

/// Recipes in the database.
struct RecipeRepository: Sendable {
    let pool: DatabasePool

    func read(_ id: String) async throws -> FullRecipe {
        guard let recipe = try await pool.read({ try FullRecipe.find(id, $0) }) else { throw HTTPError(.notFound) }
        return recipe
    }

    /// A page of recipes, from one snapshot.
    func page(_ order: RecipeOrder, limit: Int, offset: Int, includesTotal: Bool) async throws -> RecipePage {
        try await pool.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT * FROM recipe ORDER BY \(order.terms) LIMIT ? OFFSET ?")
            // One more recipe tells whether there is a next page.
            let recipes = try Recipe.fetchAll(statement, arguments: [limit + 1, offset])
            let count = try database.cachedStatement(sql: "SELECT count(*) FROM recipe")
            return RecipePage(
                items: try FullRecipe.load(Array(recipes.prefix(limit)), database).map(RecipeView.init),
                next: recipes.count > limit ? String(offset + limit) : nil,
                total: includesTotal ? try Int.fetchOne(count) : nil)
        }
    }

    /// Replaces the recipe that has an entity tag.
    func replace(
        _ id: String, with body: RecipeBody, matching tag: String, by user: User
    ) async throws -> FullRecipe {
        try await pool.write { database in
            guard let old = try FullRecipe.find(id, database) else { throw HTTPError(.notFound) }
            guard user.mayChange(old.recipe) else { throw HTTPError(.forbidden) }
            guard tag == old.recipe.tag || tag == "*" else {
                throw HTTPError(.preconditionFailed, headers: [.eTag: old.recipe.tag])
            }
            var new = FullRecipe(body, replacing: old, tags: try tags(of: body, old, database))
            guard new != old else { return old }
            new.recipe.version += 1
            do {
                try new.update(from: old, database)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                throw HTTPError(.conflict, message: "sourceIdentifier is not unique, or the owner does not exist")
            }
            return new
        }
    }

    private func tags(of body: RecipeBody, _ old: FullRecipe, _ database: Database) throws -> [NamedTag] {
        let ids = (body.tags ?? []).map(\.id)
        guard ids != old.tags.map(\.id) else { return old.tags }
        let known = Dictionary(try Tag.fetchAll(database, keys: ids).map { ($0.id, $0.name) }) { first, _ in first }
        return try ids.map { id in
            guard let name = known[id] else { throw HTTPError(.unprocessableContent, message: "no tag has id \(id)") }
            return NamedTag(recipeID: old.recipe.id, id: id, name: name)
        }
    }

    func rate(_ id: String, _ rating: Int, by user: User) async throws {
        try await pool.write { database in
            guard var recipe = try Recipe.find(id, database) else { throw HTTPError(.notFound) }
            guard user.mayChange(recipe) else { throw HTTPError(.forbidden) }
            guard recipe.rating != rating else { return }
            try recipe.updateChanges(database) {
                $0.rating = rating
                $0.version += 1
            }
        }
    }
}

/// An order of recipes; the id breaks ties.
enum RecipeOrder: String {
    case name, time, rating, published

    var terms: String {
        switch self {
        case .name: "foldedName, id"
        case .time: "totalMinutes, foldedName, id"
        case .rating: "rating DESC, foldedName, id"
        case .published: "published DESC, foldedName, id"
        }
    }
}
