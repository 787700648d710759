public import LarderDomain

/// A search word of recipes.
public struct Tag: Entity {
    /// The maximum code points of ``name``.
    public static let maximumName = 100

    /// The tag.
    public let id: EntityID<Tag>
    /// 1 to 100 characters, in the original spelling; unique in any case.
    public let name: String
    /// The folded name, reserved for this tag; `nil` for a tag stored before names were unique in any case, until it is
    /// renamed.
    public let reservedName: String?

    /// Makes a tag that reserves its name, ignoring case.
    ///
    /// - Throws: `InvalidField` naming `name`.
    public init(id: EntityID<Tag>, name: String) throws(InvalidField) {
        let name = try Tag.checked(name, .current)
        (self.id, self.name, reservedName) = (id, name, Tag.folded(name))
    }

    /// Makes a tag as a store returned it.
    ///
    /// - Throws: `InvalidField` naming `name`.
    public init(id: EntityID<Tag>, storedName name: String, reservedName: String?) throws(InvalidField) {
        (self.id, self.name, self.reservedName) = (id, try Tag.checked(name, .stored), reservedName)
    }

    private static func checked(_ name: String, _ limits: TextLimits) throws(InvalidField) -> String {
        try FieldCheck(Tag.self, limits).text(name, "name", atMost: maximumName)
    }

    /// The folded name, for comparison with those of other tags.
    public static func folded(_ name: String) -> String { name.lowercased() }

    /// The name for case-insensitive searches.
    public var foldedName: String { Tag.folded(name) }

    /// The tag with another name; the tag itself if the name is the same.
    ///
    /// - Throws: `InvalidField` naming `name`.
    public func renamed(_ name: String) throws(InvalidField) -> Tag {
        let renamed = try Tag(id: id, name: name)
        return renamed.name == self.name ? self : renamed
    }
}
