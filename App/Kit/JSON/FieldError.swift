/// What is wrong with one value of a request's body.
public struct FieldError: Hashable, Sendable {
    /// The value, as a JSON pointer into the body: `/steps/3/text`.
    public let pointer: String
    /// What is wrong, as a predicate of the value: `must have 1 to 200 characters`.
    public let detail: String

    public init(pointer: String, detail: String) {
        (self.pointer, self.detail) = (pointer, detail)
    }

    /// Its form in an answer.
    public var json: JSON {
        .object([JSON.Member("pointer", .string(pointer)), JSON.Member("detail", .string(detail))])
    }
}
