public import LarderData

/// The mappers of the cookbook.
public enum CookbookMappers {
    /// The version of the schemas. A change that is not additive raises it.
    public static let evolution = SchemaEvolution(version: 2)

    /// The mappers of the roots; they include the mappers of owned objects.
    public static var all: [any EntityMapper.Type] {
        [
            TagMapper.self, PhotoMapper.self, UserMapper.self, BrandMapper.self, RecipeMapper.self,
            CookbookMapper.self, CookingSessionMapper.self,
        ]
    }
}
