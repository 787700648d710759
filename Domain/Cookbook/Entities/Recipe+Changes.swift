public import LarderDomain

extension Recipe {
    /// The recipe with another rating, and otherwise the same.
    ///
    /// - Throws: `InvalidField` naming `rating`.
    public func rated(_ rating: Int) throws(InvalidField) -> Recipe {
        var recipe = self
        recipe.rating = rating
        try recipe.check()
        return recipe
    }

    /// The recipe with one tag in the place of another, and once only; the same when it did not have that other.
    public func replacing(_ old: EntityID<Tag>, with new: EntityID<Tag>) -> Recipe {
        var recipe = self
        recipe.tags = tags.contains(new) ? tags.filter { $0 != old || old == new } : tags.map { $0 == old ? new : $0 }
        return recipe
    }

    /// The recipe as one that somebody has cooked.
    public func cooked() -> Recipe {
        var recipe = self
        recipe.completed = true
        return recipe
    }

    /// The recipe with another photo, or without one.
    public func showing(_ photo: EntityID<Photo>?) -> Recipe {
        var recipe = self
        recipe.photo = photo
        return recipe
    }

    /// The recipe as somebody's, or as nobody's.
    public func owned(by owner: EntityID<User>?) -> Recipe {
        var recipe = self
        recipe.owner = owner
        return recipe
    }
}
