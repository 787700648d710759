public import LarderData

/// What the cookbook stores.
public enum CookbookMappers {
    /// The mappers of the entities that stand alone; those of what they own come with them.
    public static var all: [any EntityMapper.Type] {
        [
            TagMapper.self, PhotoMapper.self, UserMapper.self, BrandMapper.self, RecipeMapper.self,
            CookbookMapper.self, CookingSessionMapper.self,
        ]
    }
}
