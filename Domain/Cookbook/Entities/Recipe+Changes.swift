public import LarderDomain

extension Recipe {
    /// The recipe with another rating.
    ///
    /// - Throws: `InvalidField` naming `rating`.
    public func rated(_ rating: Int) throws(InvalidField) -> Recipe {
        var recipe = self
        recipe.rating = rating
        try recipe.check()
        return recipe
    }

    /// The recipe with one tag replaced by another, without duplicates; unchanged if it does not have the tag.
    public func replacing(_ old: EntityID<Tag>, with new: EntityID<Tag>) -> Recipe {
        var recipe = self
        recipe.tags = tags.contains(new) ? tags.filter { $0 != old || old == new } : tags.map { $0 == old ? new : $0 }
        return recipe
    }

    /// The recipe marked as cooked.
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

    /// The recipe with another owner, or without one.
    public func owned(by owner: EntityID<User>?) -> Recipe {
        var recipe = self
        recipe.owner = owner
        return recipe
    }
}
