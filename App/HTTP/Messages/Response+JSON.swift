public import HTTPTypes
public import Hummingbird
public import LarderApp
internal import NIOCore

extension Response {
    /// An answer in JSON.
    ///
    /// - Parameter tag: What the client may compare it by later.
    public static func json(
        _ json: JSON, status: HTTPResponse.Status = .ok, tag: EntityTag? = nil, headers: HTTPFields = [:]
    ) -> Response {
        .json(bytes: json.bytes(), status: status, tag: tag, headers: headers)
    }

    /// An answer in JSON that is written already.
    public static func json(
        bytes: [UInt8], status: HTTPResponse.Status = .ok, tag: EntityTag? = nil, headers: HTTPFields = [:]
    ) -> Response {
        var fields = headers
        fields[.contentType] = "application/json"
        if let tag { fields.tag(tag) }
        return Response(
            status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// The answer that what the client has is still right.
    public static func notModified(_ tag: EntityTag) -> Response {
        var fields = HTTPFields()
        fields.tag(tag)
        return Response(status: .notModified, headers: fields)
    }
}

extension HTTPFields {
    /// Whoever keeps the answer asks before using it again, for each user anew.
    fileprivate mutating func tag(_ tag: EntityTag) {
        self[.eTag] = tag.text
        self[.cacheControl] = "private, no-cache"
        self[.vary] = "Authorization"
    }
}
