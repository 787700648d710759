public import HTTPTypes
public import Hummingbird
internal import LarderApp
internal import NIOCore

extension Problem: HTTPResponseError {
    /// The status of the response.
    public var status: HTTPResponse.Status { kind.status }

    /// The response. Its `requestId` is the id of a ``ServiceContext``, which finds the log lines of the request.
    public func response(from request: Request, context: some RequestContext) throws -> Response {
        var members: [JSON.Member] = [.init("instance", .string(request.uri.path))]
        if let context = context as? any ServiceContext {
            members.append(.init("requestId", .string(context.requestID)))
        }
        if !errors.isEmpty {
            let listed = errors.map { error in
                JSON.object([.init("pointer", .string(error.pointer)), .init("detail", .string(error.detail))])
            }
            members.append(.init("errors", .array(listed)))
        }
        // Also a problem that middleware outside of all others throws has them.
        var fields = headers
        for field in HTTPFields.cautions { fields[field.name] = field.value }
        fields[.contentType] = "application/problem+json"
        fields[.cacheControl] = "no-store"
        if closesConnection { fields[.connection] = "close" }
        return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: body(members)))
    }

    /// The body: the members of the problem, then the members of the request.
    func body(_ members: [JSON.Member] = []) -> ByteBuffer {
        let own: [JSON.Member] = [
            .init("type", .string(kind.type)), .init("title", .string(kind.title)),
            .init("status", .integer(Int64(status.code))), .init("detail", .string(detail)),
        ]
        return ByteBuffer(bytes: JSON.object(own + members).bytes())
    }
}
