public import LarderDomain

/// Everything that was found wrong with the members of a JSON text, so that one answer lists all of it.
public struct InvalidFields: Error, Equatable, Sendable {
    /// At least one, in the order of reading; at most ``JSONFields/errorLimit``.
    public let errors: [FieldError]

    public init(_ errors: [FieldError]) {
        self.errors = errors
    }

    /// What an entity's initialiser refused, as a trouble with the member of the field's name.
    public init(_ field: InvalidField, at pointer: String = "") {
        self.init([FieldError(pointer: JSONPointer.to(field.field, in: pointer), detail: field.reason)])
    }
}
