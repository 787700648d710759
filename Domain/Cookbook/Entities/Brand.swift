public import LarderDomain

/// A maker of ingredients, with its name in one language.
public struct Brand: Entity {
    /// The brand.
    public let id: EntityID<Brand>
    /// 1 to 100 characters; unique among the brands of its language, in any case and with any diacritics.
    public let name: String
    /// The search words, in order, distinct: at most 100, each one line of 1 to 100 characters.
    public let keywords: [String]
    /// Its picture, which is deleted with the brand.
    public let photo: EntityID<Photo>?
    /// Its language, the namespace of its name.
    public let language: LanguageTag

    /// Makes a brand.
    ///
    /// - Parameter limits: `.stored` for texts that a store returned.
    /// - Throws: `InvalidField` naming `name` or `keywords`.
    public init(
        id: EntityID<Brand>, name: String, keywords: [String] = [], photo: EntityID<Photo>? = nil,
        language: LanguageTag, limits: TextLimits = .current
    ) throws(InvalidField) {
        let check = FieldCheck(Brand.self, limits)
        self.name = try check.text(name, "name", atMost: 100)
        self.keywords = try keywords.map { (keyword: String) throws(InvalidField) -> String in
            guard !keyword.contains(where: \.isNewline) else {
                throw check.refusal("keywords", "must not contain line breaks")
            }
            return try check.text(keyword, "keywords", atMost: 100)
        }
        try check.distinct(self.keywords, "keywords", atMost: 100)
        self.id = id
        self.photo = photo
        self.language = language
    }

    /// The language as text for searches, because a predicate can only capture standard types.
    public var languageText: String { language.rawValue }
}
