internal import CookbookDomain
internal import LarderData
internal import LarderDomain

extension Caller {
    /// Whether the caller may see an entity, of which a change names no more than whose it is. Where reading is closed,
    /// nobody gets here who is not known.
    func maySee(_ change: CommittedChange) -> Bool {
        switch change.key.schema.name {
        case Recipe.entityName, Tag.entityName, Brand.entityName, Photo.entityName: true
        case User.entityName: isAdmin || change.key.id == userID?.rawValue
        case Cookbook.entityName, CookingSession.entityName:
            isAdmin || change.owner != nil && change.owner == userID?.rawValue
        default: false
        }
    }

    /// Whether the caller may see any entity of a kind, by the name of its schema.
    func maySee(anyOf entity: String) -> Bool {
        switch entity {
        case Recipe.entityName, Tag.entityName, Brand.entityName, Photo.entityName: true
        case User.entityName, Cookbook.entityName, CookingSession.entityName: isAdmin || userID != nil
        default: false
        }
    }
}
