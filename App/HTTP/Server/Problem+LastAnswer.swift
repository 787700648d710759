internal import HTTPTypes
internal import Hummingbird
internal import LarderDomain
internal import NIOCore
internal import NIOHTTP1

extension Problem {
    /// The problem for a request on a connection beyond the limit.
    static var tooManyConnections: Problem {
        Problem(
            .overloaded, "The server has reached its limit of connections.", headers: [.retryAfter: "1"])
    }

    /// The problem for an error of the parser.
    init(_ error: HTTPParserError, firstLine: Int, limits: ServerLimits) {
        switch error {
        case .headerOverflow where firstLine > limits.targetBytes:
            self.init(.uriTooLong, "The request target exceeds the limit of \(limits.targetBytes) bytes.")
        case .headerOverflow:
            self.init(
                .headersTooLarge,
                "The header exceeds the limit of \(limits.headerFields) fields or \(limits.headerBytes) bytes.")
        default: self.init(.badRequest, "The request is not HTTP/1.1.")
        }
    }

    /// The response to a request that was not parsed and therefore has no id.
    var lastAnswer: (head: HTTPResponseHead, body: ByteBuffer) {
        let body = body()
        var fields = HTTPHeaders(headers.map { ($0.name.rawName, $0.value) })
        fields.add(name: "Content-Type", value: "application/problem+json")
        fields.add(name: "Content-Length", value: String(body.readableBytes))
        fields.add(name: "Cache-Control", value: "no-store")
        fields.add(name: "Connection", value: "close")
        fields.add(name: "Date", value: Timestamp.now().httpDate)
        for field in HTTPFields.cautions { fields.add(name: field.name.rawName, value: field.value) }
        let status = HTTPResponseStatus(statusCode: status.code, reasonPhrase: status.reasonPhrase)
        return (HTTPResponseHead(version: .http1_1, status: status, headers: fields), body)
    }
}
