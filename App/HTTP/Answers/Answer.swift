public import LarderDomain

/// An answer to a request, as far as it is given again: status, the header fields that matter, body.
public struct Answer: Sendable, Equatable {
    /// The status, 200 to 599.
    public let status: Int
    /// The fields in the order in which they are sent.
    public let fields: AnswerFields
    public let body: [UInt8]

    /// - Throws: `InvalidField` naming `status`.
    public init(status: Int, fields: AnswerFields = AnswerFields(), body: [UInt8] = []) throws(InvalidField) {
        guard (200...599).contains(status) else {
            throw InvalidField(StoredAnswer.self, "status", "must be 200 to 599")
        }
        (self.status, self.fields, self.body) = (status, fields, body)
    }
}
