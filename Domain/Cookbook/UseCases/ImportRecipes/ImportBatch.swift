internal import LarderDomain

/// The drafts of one transaction, with the stored recipes and tags that they are about.
struct ImportBatch {
    private let owner: EntityID<User>?
    private let ids: any IDGenerator
    private let now: Timestamp
    private var recipes: [String: Recipe]
    private var tags: [String: EntityID<Tag>]

    init(
        _ drafts: [RecipeDraft], from repositories: CookbookRepositories, owner: EntityID<User>?,
        ids: any IDGenerator, now: Timestamp
    ) async throws(PersistencyError) {
        let identifiers = drafts.map(\.sourceIdentifier)
        let known = try await repositories.recipes.fromSources(identifiers)
        // A recipe that came from no source was given away under its id, and may come back.
        let returned = try await repositories.recipes.read(identifiers.compactMap(Recipe.id(inOutsideIdentifier:)))
        // A draft with too many will be refused, and nobody needs to look for what it names.
        let names = Set(drafts.map { Set($0.tags) }.filter { $0.count <= Recipe.maximumTags }.joined())
        let tags = try await repositories.tags.named(exactly: names.sorted())
        self.owner = owner
        self.ids = ids
        self.now = now
        self.recipes = Dictionary((known + returned).map { ($0.outsideIdentifier, $0.entity) }) { first, _ in first }
        self.tags = Dictionary(tags.map { ($0.name, $0.id) }) { first, _ in first }
    }

    /// Saves the recipe of a draft, and the tags that it has first.
    ///
    /// - Throws: `InvalidField` before anything is saved; `PersistencyError`.
    mutating func store(_ draft: RecipeDraft, in repositories: CookbookRepositories) async throws -> Saved<Recipe> {
        var newTags: [Tag] = []
        var links: [EntityID<Tag>] = []
        for name in try draft.distinctTags() {
            if let id = tags[name] {
                links.append(id)
            } else {
                let tag = try Tag(id: ids.next(), name: name)
                newTags.append(tag)
                links.append(tag.id)
            }
        }
        let recipe = try draft.recipe(
            from: recipes[draft.sourceIdentifier], tags: links, owner: owner, ids: ids, now: now)
        for tag in newTags {
            try await repositories.tags.create(tag)
            tags[tag.name] = tag.id
        }
        let saved = try await repositories.recipes.save(recipe)
        recipes[draft.sourceIdentifier] = recipe
        return saved
    }
}
