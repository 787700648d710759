import HTTPTypes
import Hummingbird
import LarderHTTP
import Logging
import Testing

struct ProblemResponseTests {
    /// An error of a library for Hummingbird.
    private struct Refused: HTTPResponseError {
        let status: HTTPResponse.Status

        func response(from request: Request, context: some RequestContext) throws -> Response {
            Response(status: status)
        }
    }

    private func send(
        _ error: any Error, _ middleware: [ProblemMiddleware<TestContext>] = []
    ) async throws -> RouterClient.Answer {
        let router = Router(context: TestContext.self)
        for middleware in middleware { router.add(middleware: middleware) }
        router.get("jars") { _, _ -> Response in throw error }
        return try await RouterClient(router, logger: LogRecorder().logger()).send("/jars")
    }

    @Test func `a problem is a response also where no middleware makes it one`() async throws {
        let answer = try await send(Problem(.overloaded, "Later.", headers: [.retryAfter: "1"]))
        #expect(answer.status == .serviceUnavailable && answer.headers[.retryAfter] == "1")
        #expect(answer.headers[.contentType] == "application/problem+json")
        // No middleware has added them: a problem of the outermost middleware is not sent through the others.
        #expect(answer.headers[.xContentTypeOptions] == "nosniff")
        #expect(answer.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
        #expect(answer.body.contains(#""detail":"Later.","instance":"/jars","requestId":"""#))
    }

    @Test func `an error that has a status becomes a problem of this status`() async throws {
        for (status, kind) in [(HTTPResponse.Status.forbidden, "forbidden"), (.tooManyRequests, "too-many-requests")] {
            let answer = try await send(Refused(status: status), [ProblemMiddleware(realm: "test")])
            #expect(answer.status == status && answer.body.contains("#problem-\(kind)\""))
        }
        let failure = try await send(Refused(status: .badGateway), [ProblemMiddleware(realm: "test")])
        #expect(failure.status == .internalServerError)
    }
}
