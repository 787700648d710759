internal import LarderData
internal import LarderDomain

/// The schemas that the laws are tried with: a library of books, and what tests limits.
enum Library {
    static let mappers: [any EntityMapper.Type] = [
        AuthorMapper.self, GenreMapper.self, PictureMapper.self, BookMapper.self, ShelfMapper.self, ReviewMapper.self,
        SpecimenMapper.self, CounterMapper.self, AtlasMapper.self,
    ]

    /// The mappers' schemas, and those of ``Press``.
    static func schemas() throws -> SchemaSet {
        let mapped = try MapperSet(mappers).schemas
        var derivations: [String: SchemaSet.Derivation] = [:]
        for root in mapped.roots { derivations[root.name] = mapped.derivation(of: root) }
        return try SchemaSet(mapped.roots + Press.roots, derivations: derivations)
    }

    /// A manager that gives up after fewer attempts only where a law is about that.
    static func manager(over store: any Store) throws -> any PersistencyManager {
        StoreManager(store, mappers: try MapperSet(mappers))
    }
}
