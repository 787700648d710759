internal import Crypto
public import HTTPTypes
public import Hummingbird
public import LarderApp
public import LarderDomain
internal import NIOCore

extension Answer {
    /// A JSON response.
    ///
    /// - Parameters:
    ///   - json: The body.
    ///   - status: The status.
    ///   - tag: The entity tag for later conditional requests.
    ///   - location: The path of the created entity.
    public static func json(
        _ json: JSON, status: HTTPResponse.Status = .ok, tag: EntityTag? = nil, location: String? = nil
    ) throws(InvalidField) -> Answer {
        var fields = [(name: "Content-Type", value: "application/json")]
        if let location { fields.append((name: "Location", value: location)) }
        if let tag { fields.append((name: "ETag", value: tag.text)) }
        return try Answer(status: status.code, fields: AnswerFields(fields), body: json.bytes())
    }
}

extension Response {
    /// The response that has the status, the fields and the body of an answer.
    public init(_ answer: Answer) {
        var headers = HTTPFields()
        for field in answer.fields.list {
            if let name = HTTPField.Name(field.name) { headers[name] = field.value }
        }
        headers[.cacheControl] = "no-store"
        self.init(
            status: HTTPResponse.Status(code: answer.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
    }
}

extension [UInt8] {
    /// The SHA-256 of the bytes, 32 bytes.
    @available(*, deprecated, message: "Use SHA256.hash(data:) of swift-crypto.")
    public var sha256: [UInt8] { Array(SHA256.hash(data: self)) }
}
