internal import LarderDomain

/// The drafts of one transaction, with the stored recipes and tags that they refer to.
struct ImportBatch {
    private let owner: EntityID<User>?
    private let ids: any IDGenerator
    private let now: Timestamp
    private var recipes: [String: Recipe]
    /// By folded names.
    private var tags: [String: EntityID<Tag>] = [:]

    init(
        _ drafts: [RecipeDraft], from repositories: CookbookRepositories, owner: EntityID<User>?,
        ids: any IDGenerator, now: Timestamp
    ) async throws(PersistencyError) {
        let identifiers = drafts.flatMap { [$0.sourceIdentifier] + [$0.former?.identifier].compactMap(\.self) }
        let known = try await repositories.recipes.fromSources(identifiers)
        // A recipe without a source is exported under its id, and may be imported again.
        let returned = try await repositories.recipes.read(identifiers.compactMap(Recipe.id(inOutsideIdentifier:)))
        // A draft with too many tags will be refused, so its tags need not be looked up.
        let names = Set(drafts.compactMap { try? $0.distinctTags() }.joined())
        let tags = try await repositories.tags.named(names.sorted())
        self.owner = owner
        self.ids = ids
        self.now = now
        self.recipes = Dictionary((known + returned).map { ($0.outsideIdentifier, $0.entity) }) { first, _ in first }
        for tag in tags { self.tags[tag.name.folded] = tag.id }
    }

    /// Saves the new tags of a draft, then its recipe. A keyword selects the tag in any spelling, else a new one.
    ///
    /// - Throws: `InvalidField` before the first save; `PersistencyError`.
    mutating func store(_ draft: RecipeDraft, in repositories: CookbookRepositories) async throws -> ImportOutcome {
        var newTags: [String: Tag] = [:]
        var links: [EntityID<Tag>] = []
        var linked: Set<EntityID<Tag>> = []
        for name in try draft.distinctTags() {
            let folded = name.folded
            let id: EntityID<Tag>
            if let known = tags[folded] ?? newTags[folded]?.id {
                id = known
            } else {
                let tag = try Tag(id: ids.next(), name: name)
                newTags[folded] = tag
                id = tag.id
            }
            if linked.insert(id).inserted { links.append(id) }
        }
        let known = stored(for: draft)
        let recipe = try draft.recipe(from: known, tags: links, owner: owner, ids: ids, now: now)
        for tag in newTags.values.sorted(by: { $0.id < $1.id }) {
            try await repositories.tags.create(tag)
            tags[tag.name.folded] = tag.id
        }
        let saved = try await repositories.recipes.save(recipe)
        recipes[recipe.outsideIdentifier] = recipe
        return ImportOutcome(saved, replacing: known.flatMap { draft.seemsToBe($0) ? nil : $0.name })
    }

    /// The stored recipe with the identity of a draft, or with its former one.
    private func stored(for draft: RecipeDraft) -> Recipe? {
        if let recipe = recipes[draft.sourceIdentifier] { return recipe }
        guard let former = draft.former, let recipe = recipes[former.identifier] else { return nil }
        return former.isOfOneSource || draft.seemsToBe(recipe) ? recipe : nil
    }
}
