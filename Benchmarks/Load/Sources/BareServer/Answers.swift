internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Responses prepared in memory, by path and query: the least work that a server can do.
struct Answers: Sendable {
    private let bodies: [String: ByteBuffer]

    /// Reads a file whose lines are a target, a tab, and the body in JSON; `nil` if the file is unreadable.
    init?(path: String) {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bodies: [String: ByteBuffer] = [:]
        while let line = readLine(from: file) {
            let parts = line.split(separator: "\t", maxSplits: 1)
            if parts.count == 2 { bodies[String(parts[0])] = ByteBuffer(substring: parts[1]) }
        }
        self.bodies = bodies
    }

    /// The response to a request for a target, or with another body. It repeats the request's id, if present, by which
    /// the client matches responses.
    func answer(_ request: Request, _ target: String = "", body: ByteBuffer? = nil) -> Response {
        guard let body = body ?? bodies[target] else { return Response(status: .notFound) }
        var headers: HTTPFields = [.contentType: "application/json"]
        if let name = Self.requestID, let id = request.headers[name] { headers[name] = id }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
    }

    private static let requestID = HTTPField.Name("X-Request-ID")
}

private func readLine(from file: UnsafeMutablePointer<FILE>) -> String? {
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    let count = getline(&line, &capacity, file)
    guard count > 0, let line else { return nil }
    let bytes = UnsafeRawBufferPointer(start: line, count: count)
    return String(decoding: bytes.last == 0x0a ? bytes.dropLast() : bytes[...], as: UTF8.self)
}

/// Writes the program's output.
func fflushAll() { fflush(nil) }
