internal import LarderDomain

extension RecipeDraft {
    /// The names of its tags, each spelling once.
    ///
    /// - Throws: `InvalidField` naming `tags` if there are too many, before any tag is looked up or created.
    func distinctTags() throws(InvalidField) -> [String] {
        var seen: Set<String> = []
        let names = tags.filter { seen.insert($0).inserted }
        guard names.count <= Recipe.maximumTags || Set(names.map(\.folded)).count <= Recipe.maximumTags else {
            throw InvalidField(Recipe.self, "tags", "must have at most \(Recipe.maximumTags) entries")
        }
        return names
    }

    /// The stored recipe updated with the draft, or a new recipe.
    func recipe(
        from stored: Recipe?, tags: [EntityID<Tag>], owner: EntityID<User>?, ids: any IDGenerator, now: Timestamp
    ) throws(InvalidField) -> Recipe {
        try Recipe(
            id: stored?.id ?? ids.next(), name: name, summary: summary ?? stored?.summary,
            author: author ?? stored?.author, published: published ?? stored?.published,
            difficulty: stored?.difficulty ?? judgement.difficulty ?? Recipe.usualDifficulty,
            rating: stored?.rating ?? judgement.rating ?? 0,
            preparationMinutes: preparationMinutes ?? stored?.preparationMinutes,
            cookingMinutes: cookingMinutes ?? stored?.cookingMinutes, yield: yield ?? stored?.yield,
            completed: stored?.completed ?? judgement.completed ?? false, photo: stored?.photo,
            sourceIdentifier: stored.map(\.sourceIdentifier) ?? sourceIdentifier, createdAt: stored?.createdAt ?? now,
            owner: stored.map(\.owner) ?? owner, steps: steps(from: stored?.steps ?? [], ids),
            ingredients: ingredients(from: stored?.ingredients ?? [], ids),
            tags: tags.isEmpty ? stored?.tags ?? [] : tags)
    }

    private func steps(from stored: [Step], _ ids: any IDGenerator) throws(InvalidField) -> [Step] {
        guard !steps.isEmpty else { return stored }
        let counterparts = matches(of: steps.map(\.text), in: stored, by: \.text)
        var made: [Step] = []
        for (draft, old) in zip(steps, counterparts) {
            made.append(
                try Step(
                    id: old?.id ?? ids.next(), text: draft.text, timerSeconds: draft.timerSeconds ?? old?.timerSeconds,
                    photo: old?.photo))
        }
        return made
    }

    /// Quantity and brand were read from the text, so they are kept only while the text is the same.
    private func ingredients(
        from stored: [Ingredient], _ ids: any IDGenerator
    ) throws(InvalidField) -> [Ingredient] {
        guard !ingredients.isEmpty else { return stored }
        let counterparts = matches(of: ingredients.map(\.text), in: stored, by: \.text)
        var made: [Ingredient] = []
        for (draft, old) in zip(ingredients, counterparts) {
            let same = old?.text == draft.text ? old : nil
            made.append(
                try Ingredient(
                    id: old?.id ?? ids.next(), text: draft.text, quantity: draft.quantity ?? same?.quantity,
                    unit: draft.unit ?? same?.unit, brand: same?.brand))
        }
        return made
    }
}

/// The existing child for each new text: first one with the same text, then the one at the same position if it is not
/// used; `nil` if there is none.
func matches<Child: Entity>(of texts: [String], in children: [Child], by text: (Child) -> String) -> [Child?] {
    var free: [String: [Int]] = [:]
    for (index, child) in children.enumerated().reversed() { free[text(child), default: []].append(index) }
    var found = texts.map { free[$0]?.popLast() }
    let taken = Set(found.compactMap(\.self))
    for index in found.indices where found[index] == nil && index < children.count && !taken.contains(index) {
        found[index] = index
    }
    return found.map { index in index.map { children[$0] } }
}
