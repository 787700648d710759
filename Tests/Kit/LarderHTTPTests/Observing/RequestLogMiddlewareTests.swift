import HTTPTypes
import Hummingbird
import LarderHTTP
import Logging
import NIOCore
import Testing

@Suite("Request log")
struct RequestLogMiddlewareTests {
    private let recorder = LogRecorder()
    private let metrics = PrometheusMetrics(help: [:])
    private let clock = TestClock()

    private struct Oops: Error {}

    private func client() -> RouterClient {
        let router = Router(context: TestContext.self)
        router.add(middleware: RequestLogMiddleware(metrics: metrics, makeID: { "made" }, now: clock.now))
        router.get("jars/{id}") { [clock] _, context in
            Logger.current.debug("inside")
            clock.advance(by: .milliseconds(3))
            return context.requestID
        }
        router.get("stream") { [clock] _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "abc"))
                    clock.advance(by: .milliseconds(20))
                    Logger.current.debug("streaming")
                    try await writer.write(ByteBuffer(string: "de"))
                    try await writer.finish(nil)
                })
        }
        router.get("cut") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "abc"))
                    throw Oops()
                })
        }
        router.get("gone") { _, _ -> Response in throw HTTPError(.gone) }
        router.get("broken") { _, _ -> Response in throw Oops() }
        return RouterClient(router, logger: recorder.logger())
    }

    @Test(arguments: ["a", "A-z_0.9", String(repeating: "x", count: 128)])
    func `an id of plain characters is taken over, echoed and logged`(id: String) async throws {
        let answer = try await client().send("/jars/7", headers: [.xRequestID: id])
        #expect(answer.headers[.xRequestID] == id)
        #expect(answer.body == id)
        #expect(try recorder.objects().map(\.request_id) == [id, id])
    }

    @Test(arguments: ["", "a b", "ä", "a\"b", "a,b", "a/b", "<x>", String(repeating: "x", count: 129)])
    func `any other id is replaced by a new one`(id: String) async throws {
        let answer = try await client().send("/jars/7", headers: [.xRequestID: id])
        #expect(answer.headers[.xRequestID] == "made")
        #expect(!recorder.text.joined().contains("hb.request.id"))
    }

    @Test func `two ids are none`() async throws {
        var headers: HTTPFields = [:]
        headers.append(HTTPField(name: .xRequestID, value: "a"))
        headers.append(HTTPField(name: .xRequestID, value: "b"))
        #expect(try await client().send("/jars/7", headers: headers).headers[.xRequestID] == "made")
    }

    @Test func `a response is one line with the route's pattern, and lines within it have the id`() async throws {
        _ = try await client().send("/jars/secret?q=secret")
        let lines = try recorder.objects()
        #expect(lines.map(\.message) == ["inside", "request"])
        let line = try #require(lines.last)
        #expect(line.level == "info" && line.method == "GET" && line.route == "/jars/{id}")
        #expect(line.status == 200 && line.bytes == 4 && line.duration_ms == 3 && line.request_id == "made")
        #expect(!recorder.text.joined().contains("secret"))
        #expect(!metrics.text().contains("secret"))
    }

    @Test func `an answer that is streamed ends with its body`() async throws {
        let client = client()
        let response = try await client.respond("/stream")
        #expect(recorder.text.isEmpty)
        #expect(metrics.text().contains("http_server_active_requests 1\n"))
        try await response.body.write(CollectingWriter(collected: Collected()))
        let lines = try recorder.objects()
        #expect(lines.map(\.message) == ["streaming", "request"])
        #expect(lines.map(\.request_id) == ["made", "made"])
        #expect(lines.last?.bytes == 5)
        #expect(lines.last?.duration_ms == 20)
        #expect(metrics.text().contains("http_server_active_requests 0\n"))
    }

    @Test func `a stream that breaks off says so, and one that is never written ends too`() async throws {
        let client = client()
        await #expect(throws: Oops.self) { _ = try await client.send("/cut") }
        #expect(try recorder.objects().last?.cut == true)
        #expect(try recorder.objects().last?.bytes == 3)
        do { _ = try await client.respond("/stream") }
        #expect(try recorder.objects().map(\.route) == ["/cut", "/stream"])
        #expect(metrics.text().contains("http_server_active_requests 0\n"))
    }

    @Test func `errors with a response of their own have the id, others are counted and rethrown`() async throws {
        let client = client()
        let gone = try await client.send("/gone")
        #expect(gone.status == .gone)
        #expect(gone.headers[.xRequestID] == "made")
        await #expect(throws: Oops.self) { _ = try await client.send("/broken") }
        #expect(try await client.send("/no/such/place").headers[.xRequestID] == "made")
        #expect(try recorder.objects().map(\.status) == [410, 500, 404])
        #expect(try recorder.objects().map(\.route) == ["/gone", "/broken", "none"])
    }

    @Test func `methods that no standard names are one label`() async throws {
        let client = client()
        for name in ["BREW", "PROPFIND", "get"] {
            let method = try #require(HTTPRequest.Method(rawValue: name))
            _ = try? await client.send("/jars/7", method)
        }
        _ = try await client.send("/jars/1")
        _ = try await client.send("/jars/2")
        let name = "http_server_request_duration_seconds"
        let lines = metrics.text().split(separator: "\n").filter { $0.hasPrefix("\(name)_count") }
        let jars = #"http_request_method="GET",http_response_status_code="200",http_route="/jars/{id}""#
        #expect(
            lines == [
                "\(name)_count{\(jars)} 2",
                #"\#(name)_count{http_request_method="_OTHER",http_response_status_code="404",http_route="none"} 3"#,
            ])
        #expect(metrics.text().contains(#"\#(name)_bucket{\#(jars),le="0.005"} 2"#))
    }
}
