internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

extension RecipeResource {
    static func entity(
        from fields: inout JSONFields, replacing old: Recipe?, in cookbook: OpenCookbook
    ) throws(InvalidFields) -> Recipe {
        let name = fields.requiredString("name")
        let summary = fields.string("summary")
        let author = fields.string("author")
        let published = fields.parsed("published", "must be a day, such as 2026-03-01", CalendarDay.init)
        let difficulty = fields.integer("difficulty") ?? Recipe.usualDifficulty
        let rating = fields.integer("rating") ?? 0
        let preparation = fields.integer("preparationMinutes")
        let cooking = fields.integer("cookingMinutes")
        let yield = fields.string("yield")
        let completed = fields.bool("completed") ?? false
        let source = fields.string("sourceIdentifier")
        let owner = owner(from: &fields, old, cookbook)
        let steps = steps(from: &fields, old?.steps ?? [], cookbook.ids)
        let ingredients = ingredients(from: &fields, old?.ingredients ?? [], cookbook.ids)
        let tags = fields.objects("tags") { $0.requiredID("id", of: Tag.self) } ?? []
        var recipe: Recipe?
        if let name {
            recipe = fields.made { () throws(InvalidField) in
                try Recipe(
                    id: old?.id ?? cookbook.ids.next(), name: name, summary: summary, author: author,
                    published: published, difficulty: difficulty, rating: rating, preparationMinutes: preparation,
                    cookingMinutes: cooking, yield: yield, completed: completed, photo: old?.photo,
                    sourceIdentifier: source, createdAt: old?.createdAt ?? cookbook.now(),
                    owner: owner, steps: steps, ingredients: ingredients, tags: tags)
            }
        }
        return try fields.check(recipe)
    }

    /// Null is nobody; where there is no word of an owner, it stays who it was.
    private static func owner(
        from fields: inout JSONFields, _ old: Recipe?, _ cookbook: OpenCookbook
    ) -> EntityID<User>? {
        guard !fields.isNull("owner") else { return nil }
        return fields.id("owner", of: User.self) ?? (old.map(\.owner) ?? cookbook.user?.id)
    }

    /// A step that names one that is there continues it, with its photo; any other is new.
    private static func steps(from fields: inout JSONFields, _ old: [Step], _ ids: any IDGenerator) -> [Step] {
        let steps = fields.objects("steps") { fields -> Step? in
            let id = fields.id("id", of: Step.self)
            let text = fields.requiredString("text")
            let timer = fields.integer("timerSeconds")
            guard let text else { return nil }
            let continued = old.first { $0.id == id }
            return fields.made { () throws(InvalidField) in
                try Step(id: continued?.id ?? ids.next(), text: text, timerSeconds: timer, photo: continued?.photo)
            }
        }
        return steps ?? []
    }

    /// An ingredient that names one that is there continues it; any other is new.
    private static func ingredients(
        from fields: inout JSONFields, _ old: [Ingredient], _ ids: any IDGenerator
    ) -> [Ingredient] {
        let known = Set(old.map(\.id))
        let ingredients = fields.objects("ingredients") { fields -> Ingredient? in
            let id = fields.id("id", of: Ingredient.self).flatMap { known.contains($0) ? $0 : nil }
            let text = fields.requiredString("text")
            let quantity = fields.number("quantity")
            let unit = fields.string("unit")
            let brand = fields.id("brand", of: Brand.self)
            guard let text else { return nil }
            return fields.made { () throws(InvalidField) in
                try Ingredient(id: id ?? ids.next(), text: text, quantity: quantity, unit: unit, brand: brand)
            }
        }
        return ingredients ?? []
    }
}
