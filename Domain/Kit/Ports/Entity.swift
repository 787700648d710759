/// A domain object: a value with a typed id, independent of databases, wire formats and HTTP.
///
/// An entity checks its invariants in a throwing initialiser, so that no invalid entity exists. ``InvalidField`` names
/// the field.
public protocol Entity: Sendable, Equatable, Identifiable where ID == EntityID<Self> {
    /// The name in errors, commands and the schema, such as `cooking_session`. Derived from the type's name by default.
    static var entityName: String { get }
}

extension Entity {
    /// The type's name in lower case, with words separated by underscores.
    public static var entityName: String { LarderDomain.entityName(of: Self.self) }
}

/// The name of a type in lower case, with words separated by underscores.
func entityName(of type: Any.Type) -> String {
    var name = ""
    for character in String(describing: type) {
        if character.isUppercase, !name.isEmpty { name += "_" }
        name += character.lowercased()
    }
    return name
}
