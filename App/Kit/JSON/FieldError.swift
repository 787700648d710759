/// An error of one value in a request body.
public struct FieldError: Hashable, Sendable {
    /// The value, as a JSON pointer into the body: `/steps/3/text`.
    public let pointer: String
    /// The error, as a predicate of the value: `must have 1 to 200 characters`.
    public let detail: String

    /// Creates an error of the value at a JSON pointer.
    public init(pointer: String, detail: String) {
        (self.pointer, self.detail) = (pointer, detail)
    }

    /// The JSON in a response.
    public var json: JSON {
        .object([JSON.Member("pointer", .string(pointer)), JSON.Member("detail", .string(detail))])
    }
}
