import HTTPTypes
import Hummingbird
import LarderHTTP
import LarderTesting
import NIOCore
import Synchronization
import Testing

@testable import CookbookApp

/// A caller without permission is refused before the body is read.
struct PermissionBeforeBodyTests {
    /// The routes with a body that a reader may use: with own or visible entities.
    private static let readersRoutes: Set<String> = [
        "POST /v1/cookbooks", "PUT /v1/cookbooks/{id}", "PATCH /v1/cookbooks/{id}", "POST /v1/sessions",
        "PUT /v1/sessions/{id}", "PATCH /v1/sessions/{id}", "PUT /v1/users/{id}", "PATCH /v1/users/{id}",
        "POST /v1/recipes/{id}/cook",
    ]

    /// A body that is never sent: a test fails if it is read.
    private final class UnsentBody: Sendable {
        private let reads = Atomic(false)
        var isRead: Bool { reads.load(ordering: .relaxed) }

        var stream: AsyncThrowingStream<ByteBuffer, any Error> {
            AsyncThrowingStream { [self] in
                reads.store(true, ordering: .relaxed)
                throw ClientGone()
            }
        }
    }

    /// Sends the head of a request, and returns the status of the response and whether the body was read.
    private func status(
        _ route: String, _ caller: String, in things: SomebodysThings
    ) async throws -> (status: Int, isBodyRead: Bool) {
        let parts = route.split(separator: " ").map(String.init)
        let path = things.path(ofRoute: parts[1])
        let type =
            path.hasSuffix("/photo")
            ? "image/gif" : parts[0] == "PATCH" ? "application/merge-patch+json" : "application/json"
        var fields: HTTPFields = [.contentType: type, .ifMatch: "*"]
        fields[.authorization] = things.tokens[caller].map { "Bearer \($0)" }
        let body = UnsentBody()
        let head = HTTPRequest(
            method: try #require(.init(rawValue: parts[0])), scheme: "http", authority: "localhost", path: path,
            headerFields: fields)
        let reply = try await HTTPReply(
            try await things.http.response(
                to: Request(head: head, body: RequestBody(asyncSequence: body.stream))))
        return (reply.status.code, body.isRead)
    }

    private func routesWithBody(_ things: SomebodysThings) -> [String] {
        things.http.routes.filter { route in
            ["POST", "PUT", "PATCH"].contains { route.hasPrefix("\($0) ") } && !route.hasSuffix("/revoke")
        }
    }

    @Test func `an anonymous caller is refused by every route before the body is read`() async throws {
        let things = try await SomebodysThings()
        let routes = routesWithBody(things)
        #expect(routes.count > 20)
        for route in routes {
            let (status, isRead) = try await status(route, "nobody", in: things)
            #expect(status == 401 && !isRead, "\(route): \(status), \(isRead)")
        }
    }

    @Test func `a reader is refused before the body is read, except by routes that readers may use`() async throws {
        let things = try await SomebodysThings()
        let routes = Set(routesWithBody(things))
        #expect(Self.readersRoutes.isSubset(of: routes))
        for route in routes.sorted() {
            let (status, isRead) = try await status(route, "reader", in: things)
            if Self.readersRoutes.contains(route) {
                #expect(status != 403, "\(route)")
            } else {
                let isTokens = route.hasSuffix("/tokens")
                #expect(status == (isTokens ? 404 : 403) && !isRead, "\(route): \(status), \(isRead)")
            }
        }
    }

    @Test func `a cook's body is read`() async throws {
        let things = try await SomebodysThings()
        for route in ["POST /v1/recipes", "PUT /v1/recipes/{id}", "PATCH /v1/recipes/{id}", "POST /v1/tags"] {
            #expect(try await status(route, "Ann", in: things).isBodyRead, "\(route)")
        }
    }
}
