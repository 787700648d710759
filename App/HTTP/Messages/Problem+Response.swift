internal import HTTPTypes
public import Hummingbird
internal import LarderApp
internal import NIOCore

extension Problem {
    /// The answer.
    ///
    /// - Parameters:
    ///   - instance: What was asked for, relative to the service's root.
    ///   - requestID: What log lines about the request are found by.
    public func response(instance: String, requestID: String) -> Response {
        var members: [JSON.Member] = [
            .init("type", .string(kind.type)),
            .init("title", .string(kind.title)),
            .init("status", .integer(Int64(kind.status.code))),
            .init("detail", .string(detail)),
            .init("instance", .string(instance)),
            .init("requestId", .string(requestID)),
        ]
        if !errors.isEmpty {
            let listed = errors.map { error in
                JSON.object([.init("pointer", .string(error.pointer)), .init("detail", .string(error.detail))])
            }
            members.append(.init("errors", .array(listed)))
        }
        var fields = headers
        fields[.contentType] = "application/problem+json"
        fields[.cacheControl] = "no-store"
        if closesConnection { fields[.connection] = "close" }
        let body = ByteBuffer(bytes: JSON.object(members).bytes())
        return Response(status: kind.status, headers: fields, body: ResponseBody(byteBuffer: body))
    }
}
