public import LarderDomain

/// All errors of the members of a JSON text, so that one response lists them.
public struct InvalidFields: Error, Equatable, Sendable {
    /// At least one, in the order of reading; at most ``JSONFields/errorLimit``.
    public let errors: [FieldError]
    /// Whether these are all errors. Otherwise the rest of the body was not checked.
    public let isComplete: Bool

    /// Creates an error from those of the members; by default, from all of them.
    public init(_ errors: [FieldError], isComplete: Bool = true) {
        (self.errors, self.isComplete) = (errors, isComplete)
    }

    /// The error of an entity's initialiser, reported for the member with the field's name.
    public init(_ field: InvalidField, at pointer: String = "") {
        self.init([FieldError(pointer: JSONPointer.to(field.field, in: pointer), detail: field.reason)])
    }
}
