internal import HTTPTypes
internal import Hummingbird
internal import LarderHTTP
internal import NIOCore

/// A file that comes with the program.
struct PageFile: Sendable {
    private let tag: EntityTag
    private let headers: HTTPFields
    private let body: ByteBuffer

    /// Takes a file's bytes.
    ///
    /// - Complexity: O(*n*) for the number of bytes; keep it.
    init(_ bytes: [UInt8], _ type: String, headers: HTTPFields = [:]) {
        tag = EntityTag(bytes)
        body = ByteBuffer(bytes: bytes)
        var fields = headers
        fields[.contentType] = type
        fields[.eTag] = tag.text
        // The name stays when the content changes, so browsers ask each time; mostly they are told 304.
        fields[.cacheControl] = "no-cache"
        self.headers = fields
    }

    /// The file, or that the client has it.
    ///
    /// - Throws: `Problem` with 412 for `If-Match` with another tag.
    func response(to request: Request) throws(Problem) -> Response {
        if try Preconditions(request).isNotModified(tag) {
            var fields = headers
            fields[.contentType] = nil
            return Response(status: .notModified, headers: fields)
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
    }
}
