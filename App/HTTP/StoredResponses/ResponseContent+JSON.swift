public import HTTPTypes
public import Hummingbird
public import LarderApp
public import LarderDomain
internal import NIOCore

extension ResponseContent {
    /// A JSON response.
    ///
    /// - Parameters:
    ///   - json: The body.
    ///   - status: The status.
    ///   - tag: The entity tag for later conditional requests.
    ///   - location: The path of the created entity.
    public static func json(
        _ json: JSON, status: HTTPResponse.Status = .ok, tag: EntityTag? = nil, location: String? = nil
    ) throws(InvalidField) -> ResponseContent {
        var fields = [(name: "Content-Type", value: "application/json")]
        if let location { fields.append((name: "Location", value: location)) }
        if let tag { fields.append((name: "ETag", value: tag.text)) }
        return try ResponseContent(status: status.code, fields: ResponseFields(fields), body: json.bytes())
    }
}

extension Response {
    /// The response that has the status, the fields and the body of a stored one.
    public init(_ content: ResponseContent) {
        var headers = HTTPFields()
        for field in content.fields.list {
            if let name = HTTPField.Name(field.name) { headers[name] = field.value }
        }
        headers[.cacheControl] = "no-store"
        self.init(
            status: HTTPResponse.Status(code: content.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: content.body)))
    }
}
