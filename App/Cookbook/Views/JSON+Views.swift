internal import CookbookDomain
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP

/// The JSON views of entities for `--json`.
extension JSON {
    static func view(_ brand: Brand) -> JSON {
        .sorted([
            "id": brand.id, "name": brand.name, "language": brand.language.rawValue, "keywords": brand.keywords,
            "createdAt": brand.id.rawValue.creationTime,
        ])
    }

    /// - Parameters:
    ///   - owner: The owner's e-mail, if visible.
    ///   - names: The names of recipes; a recipe without a name is shown by id only.
    static func view(_ cookbook: Cookbook, owner: String?, names: [EntityID<Recipe>: String] = [:]) -> JSON {
        func entries(_ ids: [EntityID<Recipe>]) -> [JSON] { ids.map { .sorted(["id": $0, "name": names[$0]]) } }
        return .sorted([
            "id": cookbook.id, "name": cookbook.name, "owner": owner, "favourites": entries(cookbook.favourites),
            "history": entries(cookbook.history), "createdAt": cookbook.id.rawValue.creationTime,
        ])
    }

    /// A page of recipes.
    static func view(_ page: ReadModelPage<RecipeLine>) -> JSON {
        let recipes = page.items.map { recipe in
            JSON.sorted([
                "id": recipe.id, "identifier": recipe.outsideIdentifier, "name": recipe.name,
                "minutes": recipe.totalMinutes, "rating": recipe.rating,
            ])
        }
        return .sorted(["recipes": recipes, "total": page.total, "next": page.next?.rawValue])
    }

    /// - Parameter owner: The owner's e-mail, if visible.
    static func view(_ stored: Stored<Recipe>, tags: [Tag], owner: String?) -> JSON {
        let recipe = stored.entity
        return .sorted([
            "id": recipe.id, "version": stored.version, "identifier": recipe.outsideIdentifier, "name": recipe.name,
            "summary": recipe.summary, "author": recipe.author, "published": recipe.published,
            "difficulty": recipe.difficulty, "rating": recipe.rating, "yield": recipe.yield,
            "preparationMinutes": recipe.preparationMinutes, "cookingMinutes": recipe.cookingMinutes,
            "completed": recipe.completed, "createdAt": recipe.createdAt, "owner": owner, "tags": tags.map(\.name),
            "ingredients": recipe.ingredients.map {
                JSON.sorted(["text": $0.text, "quantity": $0.quantity, "unit": $0.unit])
            },
            "steps": recipe.steps.map { JSON.sorted(["text": $0.text, "timerSeconds": $0.timerSeconds]) },
        ])
    }

    /// - Parameter recipe: The recipe's name; `nil` if it was deleted.
    static func view(_ session: CookingSession, recipe: String?) -> JSON {
        .sorted([
            "id": session.id, "startedAt": session.startedAt, "recipe": recipe, "recipeID": session.recipe,
            "repetitions": session.repetitions, "createdAt": session.id.rawValue.creationTime,
        ])
    }

    /// - Parameter secret: The secret; only in the response that creates the token.
    static func view(_ token: AccessToken, of user: User, secret: TokenSecret? = nil) -> JSON {
        .sorted([
            "id": token.id, "user": user.email, "label": token.label, "createdAt": token.createdAt.wholeSeconds,
            "expiresAt": token.expiresAt.wholeSeconds, "revokedAt": token.revokedAt?.wholeSeconds,
            "permissions": token.restriction?.names, "token": secret?.text,
        ])
    }

    /// - Parameters:
    ///   - recipes: The number of recipes that the user owns; `nil` in lists.
    ///   - cookbooks: The names of the user's cookbooks; `nil` in lists.
    static func view(_ user: User, recipes: Int? = nil, cookbooks: [String]? = nil) -> JSON {
        .sorted([
            "id": user.id, "email": user.email, "firstName": user.firstName, "lastName": user.lastName,
            "role": user.role.rawValue, "recipes": recipes, "cookbooks": cookbooks,
            "createdAt": user.id.rawValue.creationTime,
        ])
    }
}

extension Timestamp {
    /// The timestamp truncated to seconds, which is precise enough for people.
    var wholeSeconds: Timestamp {
        let second: Int64 = 1_000_000
        let rest = microseconds % second
        return Timestamp(microseconds: microseconds - (rest < 0 ? rest + second : rest))
    }
}
