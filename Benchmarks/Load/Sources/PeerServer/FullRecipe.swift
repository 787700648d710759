internal import GRDB

/// A recipe with its steps, ingredients, and tags.
struct FullRecipe: Equatable, Sendable {
    var recipe: Recipe
    let steps: [Step]
    let ingredients: [Ingredient]
    let tags: [NamedTag]

    static func find(_ id: String, _ database: Database) throws -> FullRecipe? {
        try Recipe.find(id, database).flatMap { try load([$0], database).first }
    }

    /// Loads the parts of recipes, with one statement for each table.
    static func load(_ recipes: [Recipe], _ database: Database) throws -> [FullRecipe] {
        let steps: [String: [Step]] = try parts(of: recipes, database)
        let ingredients: [String: [Ingredient]] = try parts(of: recipes, database)
        let tags: [String: [NamedTag]] = try parts(of: recipes, database)
        return recipes.map { recipe in
            FullRecipe(
                recipe: recipe, steps: steps[recipe.id] ?? [], ingredients: ingredients[recipe.id] ?? [],
                tags: tags[recipe.id] ?? [])
        }
    }

    private static func parts<Part: RecipePart>(
        of recipes: [Recipe], _ database: Database
    ) throws -> [String: [Part]] {
        let list = databaseQuestionMarks(count: recipes.count)
        let statement = try database.cachedStatement(
            sql: "\(Part.select) WHERE recipeID IN (\(list)) ORDER BY recipeID, position")
        let rows = try Part.fetchAll(statement, arguments: StatementArguments(recipes.map(\.id)))
        return Dictionary(grouping: rows, by: \.recipeID)
    }

    /// Inserts all rows; the tags exist.
    func insert(_ database: Database) throws {
        try recipe.insert(database)
        for step in steps { try step.insert(database) }
        for ingredient in ingredients { try ingredient.insert(database) }
        try insertTags(database)
    }

    /// Writes the changed columns of the recipe, and each list that differs.
    func update(from old: FullRecipe, _ database: Database) throws {
        try recipe.updateChanges(database, from: old.recipe)
        if steps != old.steps {
            try delete("step", database)
            for step in steps { try step.insert(database) }
        }
        if ingredients != old.ingredients {
            try delete("ingredient", database)
            for ingredient in ingredients { try ingredient.insert(database) }
        }
        if tags != old.tags {
            try delete("recipeTag", database)
            try insertTags(database)
        }
    }

    private func insertTags(_ database: Database) throws {
        for (position, tag) in tags.enumerated() {
            try RecipeTag(recipeID: recipe.id, position: position, tagID: tag.id).insert(database)
        }
    }

    private func delete(_ table: String, _ database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM \(table) WHERE recipeID = ?").execute(arguments: [recipe.id])
    }
}
