public import HTTPTypes
public import Hummingbird
internal import NIOCore

/// A static file of the program: a page, a script, a style sheet or an image.
public struct PageFile: Sendable {
    private let tag: EntityTag
    private let headers: HTTPFields
    private let body: ByteBuffer

    /// Makes a file from its bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, sent unchanged.
    ///   - type: The media type.
    ///   - headers: Further header fields.
    /// - Complexity: O(*n*) for the number of bytes; keep the value.
    public init(_ bytes: [UInt8], _ type: String, headers: HTTPFields = [:]) {
        tag = EntityTag(bytes)
        body = ByteBuffer(bytes: bytes)
        var fields = headers
        fields[.contentType] = type
        fields[.eTag] = tag.text
        // The name stays the same when the content changes, so browsers revalidate; usually the response is 304.
        fields[.cacheControl] = "no-cache"
        self.headers = fields
    }

    /// The file, or 304 if the client has it.
    ///
    /// - Throws: `Problem` with 412 for `If-Match` with another tag.
    public func response(to request: Request) throws(Problem) -> Response {
        if try Preconditions(request).isNotModified(tag) {
            var fields = headers
            fields[.contentType] = nil
            return Response(status: .notModified, headers: fields)
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
    }
}
