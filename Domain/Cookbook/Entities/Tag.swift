public import LarderDomain

/// A search word of recipes.
public struct Tag: Entity {
    /// The maximum code points of ``name``.
    public static let maximumName = 100

    /// The tag.
    public let id: EntityID<Tag>
    /// 1 to 100 characters, in the original spelling; unique in any case and with any diacritics.
    public let name: String

    /// Makes a tag.
    ///
    /// - Parameter limits: `.stored` for a tag as a store returned it.
    /// - Throws: `InvalidField` naming `name`.
    public init(id: EntityID<Tag>, name: String, limits: TextLimits = .current) throws(InvalidField) {
        self.id = id
        self.name = try FieldCheck(Tag.self, limits).text(name, "name", atMost: Tag.maximumName)
    }

    /// The tag with another name; the tag itself if the name is the same.
    ///
    /// - Throws: `InvalidField` naming `name`.
    public func renamed(_ name: String) throws(InvalidField) -> Tag {
        let renamed = try Tag(id: id, name: name)
        return renamed.name == self.name ? self : renamed
    }
}
