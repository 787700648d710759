public import LarderDomain

/// A word that recipes are found by.
public struct Tag: Entity {
    /// The tag.
    public let id: EntityID<Tag>
    /// 1 to 100 characters, unique, in the spelling that it was given.
    public let name: String

    /// Makes a tag.
    ///
    /// - Parameter limits: `.stored` for a name that a store returned.
    /// - Throws: `InvalidField` naming `name`.
    public init(id: EntityID<Tag>, name: String, limits: TextLimits = .current) throws(InvalidField) {
        self.id = id
        self.name = try FieldCheck(Tag.self, limits).text(name, "name", atMost: 100)
    }

    /// The name for searches that do not regard case.
    public var foldedName: String { name.lowercased() }

    /// The tag under another name.
    ///
    /// - Throws: `InvalidField` naming `name`.
    public func renamed(_ name: String) throws(InvalidField) -> Tag {
        try Tag(id: id, name: name)
    }
}
