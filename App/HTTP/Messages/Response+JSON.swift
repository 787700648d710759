public import HTTPTypes
public import Hummingbird
public import LarderApp
internal import NIOCore

extension Response {
    /// A JSON response.
    ///
    /// - Parameters:
    ///   - json: The body.
    ///   - status: The status.
    ///   - tag: The entity tag for later conditional requests.
    ///   - headers: Further header fields.
    public static func json(
        _ json: JSON, status: HTTPResponse.Status = .ok, tag: EntityTag? = nil, headers: HTTPFields = [:]
    ) -> Response {
        .json(bytes: json.bytes(), status: status, tag: tag, headers: headers)
    }

    /// A response with encoded JSON.
    public static func json(
        bytes: [UInt8], status: HTTPResponse.Status = .ok, tag: EntityTag? = nil, headers: HTTPFields = [:]
    ) -> Response {
        var fields = headers
        fields[.contentType] = "application/json"
        if let tag { fields.tag(tag) }
        return Response(
            status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// The response 304 (not modified): the client has the current representation.
    public static func notModified(_ tag: EntityTag) -> Response {
        var fields = HTTPFields()
        fields.tag(tag)
        return Response(status: .notModified, headers: fields)
    }
}

extension HTTPFields {
    /// A cache must revalidate the response before it uses it again, and for each user separately.
    fileprivate mutating func tag(_ tag: EntityTag) {
        self[.eTag] = tag.text
        self[.cacheControl] = "private, no-cache"
        self[.vary] = "Authorization"
    }
}
