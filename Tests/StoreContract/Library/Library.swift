internal import LarderData
internal import LarderDomain

/// The schemas of the laws: a library of books, and schemas that test limits.
enum Library {
    static let mappers: [any EntityMapper.Type] = [
        AuthorMapper.self, GenreMapper.self, PictureMapper.self, BookMapper.self, ShelfMapper.self, ReviewMapper.self,
        SpecimenMapper.self, CounterMapper.self, AtlasMapper.self, LetterMapper.self, ParcelMapper.self,
        VenueMapper.self,
    ]

    /// The schemas of the mappers and of ``Press``.
    static func schemas() throws -> SchemaSet {
        let mapped = try MapperSet(mappers).schemas
        var derivations: [String: SchemaSet.Derivation] = [:]
        for root in mapped.roots { derivations[root.name] = mapped.derivation(of: root) }
        return try SchemaSet(mapped.roots + Press.roots, derivations: derivations)
    }

    /// A manager. Only laws about the number of attempts set a smaller one.
    static func manager(over store: any Store) throws -> any PersistencyManager {
        StoreManager(store, mappers: try MapperSet(mappers))
    }
}
