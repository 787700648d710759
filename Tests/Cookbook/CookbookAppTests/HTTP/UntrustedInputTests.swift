import CookbookDomain
import HTTPTypes
import Hummingbird
import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import LarderTesting
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import CookbookApp

/// Untrusted text is never interpreted, and internal details are never exposed.
struct UntrustedInputTests {
    private static let text = #"'); DROP TABLE recipe;--%_*?"\ <script>alert(1)</script> $(id) `id` {{7*7}}"#

    @Test(arguments: ["memory", "sqlite"])
    func `text with a meaning in SQL, shells or HTML is stored as plain text`(store: String) async throws {
        let folder = try TemporaryFolder()
        let location = store == "memory" ? StoreLocation.memory : .sqlite(path: folder.path + "/a.sqlite")
        let things = try await SomebodysThings(StoreSettings(location: location))
        let body = JSON.object([.init("name", .string(Self.text))])
        let made = try await things.send("Ann", .post, "/v1/recipes", String(decoding: body.bytes(), as: UTF8.self))
        #expect(made.status == .created)
        #expect(made.string("name") == Self.text)
        for (part, count) in [("%27%29%3B%20DROP", 1), ("%25", 1), ("%5C", 1), ("%2A", 1), ("_", 1), ("stew", 1)] {
            let found = try await things.send("nobody", .get, "/v1/recipes?total=true&name=\(part)", nil)
            #expect(found.json["total"] == .integer(Int64(count)), "\(part): \(found.text)")
        }
    }

    @Test func `a link repeats the query in its original encoding`() async throws {
        let things = try await SomebodysThings()
        _ = try await things.send("Ann", .post, "/v1/recipes", #"{"name":"A>; rel=\"b"}"#)
        _ = try await things.send("Ann", .post, "/v1/recipes", #"{"name":"A>; rel=\"c"}"#)
        let query = "limit=1&name=%3E%3B%20rel%3D%22"
        let reply = try await things.send("nobody", .get, "/v1/recipes?\(query)", nil)
        let link = try #require(HTTPField.Name("Link").flatMap { reply.headers[$0] })
        #expect(link.hasPrefix("</v1/recipes?\(query)&after="))
        #expect(link.count(where: { $0 == ">" }) == 1 && link.hasSuffix(#">; rel="next""#))
    }

    @Test(arguments: ["", "name=a%3Eb'ü;c%2Bd&", "name=a>b'%C3%BC;c%2Bd&"])
    func `a link has each parameter once, fully encoded`(filter: String) async throws {
        let things = try await SomebodysThings()
        for number in 1...3 {
            let body = JSON.object([.init("name", .string("a>b'ü;c+d \(number)"))]).bytes()
            _ = try await things.send("Ann", .post, "/v1/recipes", String(decoding: body, as: UTF8.self))
        }
        let first = try await things.send("nobody", .get, "/v1/recipes?\(filter)limit=1", nil)
        let query = "\(filter)limit=1&%61fter=\(first.string("next"))"
        let reply = try await things.send("nobody", .get, "/v1/recipes?\(query)", nil)
        let link = try #require(HTTPField.Name("Link").flatMap { reply.headers[$0] }, "\(reply.text)")
        // A link to the next page, and one to the previous page.
        #expect(link.utf8.allSatisfy { (0x20...0x7E).contains($0) } && link.count(where: { $0 == ">" }) == 2, "\(link)")
        let next = link.dropFirst().prefix { $0 != ">" }
        let names = next.split(separator: "?")[1].split(separator: "&").map { $0.prefix { $0 != "=" } }
        #expect(Set(names).count == names.count && names.contains("after"), "\(link)")
        let last = try await things.send("nobody", .get, String(next), nil)
        #expect(last.status == .ok && last.string("next").isEmpty == !filter.isEmpty, "\(last.text)")
    }

    @Test func `a photo's media type is determined by its first bytes`() async throws {
        let things = try await SomebodysThings()
        let path = things.filled("/v1/recipes/{recipe}/photo")
        func put(_ type: String, _ bytes: [UInt8]) async throws -> HTTPResponse.Status {
            try await things.http.send(
                .put, path, token: things.tokens["Ann"], headers: [.ifMatch: "*"], type: type, bytes: bytes
            ).status
        }
        let page = Array("<html><script>alert(1)</script>".utf8)
        for type in ["image/png", "image/gif"] { #expect(try await put(type, page) == .unprocessableContent) }
        for type in ["image/svg+xml", "text/html", "application/octet-stream"] {
            #expect(try await put(type, page) == .unsupportedMediaType)
        }
        #expect(try await put("image/png", SomebodysThings.picture) == .unprocessableContent)
        #expect(try await put("image/gif", SomebodysThings.picture + page) == .noContent)
        let photo = try await things.http.send(.get, path)
        #expect(photo.bytes == SomebodysThings.picture + page)
        #expect(photo.headers[.contentType] == "image/gif")
        #expect(photo.headers[.xContentTypeOptions] == "nosniff")
        #expect(photo.headers[.contentSecurityPolicy]?.hasSuffix("; sandbox") == true)
    }

    @Test func `a body that is too large is refused, and not stored`() async throws {
        let things = try await SomebodysThings()
        let limits = things.http.api.service.limits
        let before = try await things.everything()
        for (path, bound) in [("/v1/tags", limits.jsonBodyBytes), ("/v1/recipes", RecipeResource.largestBody)] {
            let name = String(repeating: "a", count: bound)
            let reply = try await things.send("Ann", .post, path, #"{"name":"\#(name)"}"#)
            #expect(reply.status == .contentTooLarge, "\(path)")
        }
        let photo = try await things.http.send(
            .put, things.filled("/v1/recipes/{recipe}/photo"), token: things.tokens["Ann"], headers: [.ifMatch: "*"],
            type: "image/gif",
            bytes: SomebodysThings.picture + [UInt8](repeating: 0, count: Larder.photoBytes))
        #expect(photo.status == .contentTooLarge)
        #expect(try await things.everything() == before)
    }

    private struct Oops: Error {
        let inside = "SELECT secret FROM /var/lib/larder"
    }

    @Test func `a response reveals no internal details when the service fails`() async throws {
        let router = Router(context: CookbookContext.self)
        router.add(middleware: SecurityHeadersMiddleware())
        router.add(middleware: ProblemMiddleware(realm: "test"))
        router.get("broken") { _, _ -> Response in throw Oops() }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/broken")
        let response = try await router.buildResponder().respond(
            to: Request(head: head, body: RequestBody(buffer: ByteBuffer())),
            context: CookbookContext(source: .init(channel: EmbeddedChannel(), logger: logger)))
        let reply = try await HTTPReply(response)
        let text = reply.text
        #expect(reply.status == .internalServerError)
        #expect(text.contains("internal-error"))
        #expect(!text.contains("secret") && !text.contains("Oops") && !text.contains(".swift"))
    }

    @Test func `the log contains no tokens, addresses or body content`() async throws {
        let http = try await CookbookHarness()
        let lines = Mutex<[UInt8]>([])
        let token = try await http.user("ada@example.org", .admin)
        let strange = "larder_" + String(repeating: "A", count: 43)
        let router = try http.api.router(
            feed: await ChangeFeed(of: http.store), readiness: Readiness { .writable },
            metrics: PrometheusMetrics(), outermost: [RequestLogMiddleware(metrics: PrometheusMetrics())],
            watchesClients: false)
        let responder = router.buildResponder()
        let logger = Logger(label: "test") { _ in
            JSONLogHandler(label: "test", level: .trace, sink: LogSink { line in lines.withLock { $0 += line } })
        }
        let requests: [(HTTPRequest.Method, String, String, String)] = [
            (.post, "/v1/recipes", token, #"{"name":"private matters"}"#), (.get, "/v1/users", strange, ""),
            (.get, "/v1/users", "private", ""), (.get, "/v1/users?email=ada@example.org", token, ""),
            (.get, "/v1/users?token=\(token)", token, ""), (.get, "/v1/recipes/\(token)", token, ""),
            (.get, "/\(token)", token, ""), (.post, "/v1/recipes", token, #"{"name":["private matters"]}"#),
            (.post, "/v1/users", token, #"{"email":"ada@example.org","firstName":"A","lastName":"B"}"#),
        ]
        for (method, path, token, body) in requests {
            let head = HTTPRequest(
                method: method, scheme: "http", authority: "localhost", path: path,
                headerFields: [.authorization: "Bearer \(token)", .contentType: "application/json"])
            _ = try await responder.respond(
                to: Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body))),
                context: CookbookContext(source: .init(channel: EmbeddedChannel(), logger: logger)))
        }
        let text = String(decoding: lines.withLock(\.self), as: UTF8.self)
        #expect(text.split(separator: "\n").count >= requests.count)
        #expect(text.contains("token refused"))
        for secret in [token, strange, "larder_", "private", "example.org"] {
            #expect(!text.contains(secret), "\(secret) in \(text)")
        }
    }
}
