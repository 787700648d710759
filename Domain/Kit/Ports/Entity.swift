/// A domain object: a plain value with a typed id. It knows no database, no wire format and no HTTP.
///
/// An entity checks its invariants in a throwing initialiser, which names the field in ``InvalidField``, so that no
/// invalid one exists.
public protocol Entity: Sendable, Equatable, Identifiable where ID == EntityID<Self> {
    /// What it is called in errors, in commands and by its schema: `cooking_session`. By default the type's name.
    static var entityName: String { get }
}

extension Entity {
    /// The type's name in lower case, its words joined by underscores.
    public static var entityName: String {
        var name = ""
        for character in String(describing: Self.self) {
            if character.isUppercase, !name.isEmpty { name += "_" }
            name += character.lowercased()
        }
        return name
    }
}
