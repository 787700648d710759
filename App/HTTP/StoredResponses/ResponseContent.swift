public import LarderDomain

/// The part of a response that is stored and replayed: status, relevant header fields, body.
public struct ResponseContent: Sendable, Equatable {
    /// The status, 200 to 599.
    public let status: Int
    /// The fields in the order of the response.
    public let fields: ResponseFields
    /// The body; empty in a replay of a longer one than ``ResponseLimits/bodySize``.
    public let body: [UInt8]

    /// - Throws: `InvalidField` naming `status`.
    public init(status: Int, fields: ResponseFields = ResponseFields(), body: [UInt8] = []) throws(InvalidField) {
        guard (200...599).contains(status) else {
            throw InvalidField(StoredResponse.self, "status", "must be 200 to 599")
        }
        (self.status, self.fields, self.body) = (status, fields, body)
    }

    /// The part that is stored: everything, or for a body above a limit the status and the fields that do not describe
    /// the body.
    func stored(upTo limit: Int) throws(InvalidField) -> ResponseContent {
        if body.count <= limit { return self }
        return try ResponseContent(status: status, fields: fields.removing("Content-Type"))
    }
}
