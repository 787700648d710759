/// What is wrong with one member of a JSON text.
public struct FieldError: Sendable, Hashable {
    /// Where it is: a JSON pointer (RFC 6901); empty for the text as a whole.
    public let pointer: String
    /// What is wrong, as a predicate of the member: "must be an integer".
    public let detail: String

    /// Names a member and what is wrong with it.
    public init(pointer: String, detail: String) {
        self.pointer = pointer
        self.detail = detail
    }
}
