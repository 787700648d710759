/// The identity that an earlier version of the importer gave to a document: a recipe that is stored under it keeps it.
public struct FormerIdentity: Sendable, Equatable {
    /// The identifier.
    public let identifier: String
    /// The name and the author as the earlier version read them from the document.
    public let name: String
    /// See ``name``.
    public let author: String?
    /// Whether documents of different sources cannot have this identifier. Otherwise (`7`, `#recipe`) the stored recipe
    /// must have the name or the author of the document.
    public let isOfOneSource: Bool

    /// Makes an identity.
    public init(identifier: String, name: String, author: String?, isOfOneSource: Bool) {
        (self.identifier, self.name, self.author, self.isOfOneSource) = (identifier, name, author, isOfOneSource)
    }
}

extension RecipeDraft {
    /// Whether a stored recipe with an identifier of the draft has its name or its author. Otherwise it is probably a
    /// different recipe with the same identifier.
    func seemsToBe(_ recipe: Recipe) -> Bool {
        let authors = [author, former?.author].compactMap(\.self)
        return recipe.name == name || recipe.name == former?.name || recipe.author.map(authors.contains) == true
    }
}
