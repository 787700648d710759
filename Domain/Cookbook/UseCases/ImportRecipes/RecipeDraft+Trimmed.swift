internal import LarderDomain

extension RecipeDraft {
    /// The draft with the texts used in searches trimmed as entities store them. A blank text remains, and is refused
    /// later.
    var trimmed: RecipeDraft {
        var draft = self
        draft.sourceIdentifier = sourceIdentifier.trimmed ?? sourceIdentifier
        draft.tags = tags.map { $0.trimmed ?? $0 }
        for (index, step) in steps.enumerated() { draft.steps[index].text = step.text.trimmed ?? step.text }
        for (index, ingredient) in ingredients.enumerated() {
            draft.ingredients[index].text = ingredient.text.trimmed ?? ingredient.text
        }
        return draft
    }
}
