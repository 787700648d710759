import HTTPTypes
import Hummingbird
import LarderApp
import LarderHTTP
import Logging
import NIOCore
import NIOEmbedded
import Testing

/// Errors of an invented domain.
private enum LoanError: String, ServiceError, CaseIterable {
    case unknownTitle, allOnLoan, notYours, badBarcode, scannerBusy, broken

    var exitStatus: LarderApp.ExitStatus {
        switch self {
        case .unknownTitle: .notFound
        case .allOnLoan: .conflict
        case .notYours: .forbidden
        case .badBarcode: .badInput
        case .scannerBusy: .busy
        case .broken: .internalError
        }
    }
    var message: String { "no loan: \(rawValue)" }
}

/// An error that defines its problem.
private struct OverdueError: ServiceError, ProblemConvertible {
    let exitStatus = LarderApp.ExitStatus.conflict
    let message = "overdue"
    var problem: Problem {
        Problem(.preconditionFailed, "Give it back.", errors: [FieldError(pointer: "/days", detail: "are over")])
    }
}

struct ProblemConvertibleTests {
    private func answer(_ error: any Error) async throws -> (status: Int, body: String) {
        let router = Router(context: PlainContext.self)
        router.add(middleware: ProblemMiddleware(realm: "loans"))
        router.post("loans") { _, _ -> Response in throw error }
        let head = HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/loans")
        let response = try await router.buildResponder().respond(
            to: Request(head: head, body: RequestBody(buffer: ByteBuffer())),
            context: PlainContext(source: .init(channel: EmbeddedChannel(), logger: Logger(label: "test"))))
        let problem = Problem(error)
        let body = problem.map { "\($0.kind.rawValue): \($0.detail)" } ?? ""
        return (response.status.code, body)
    }

    @Test func `a route answers an error of the domain with the problem that means the same`() async throws {
        var statuses: [LoanError: Int] = [:]
        for error in LoanError.allCases { statuses[error] = try await answer(error).status }
        #expect(
            statuses == [
                .unknownTitle: 404, .allOnLoan: 409, .notYours: 403, .badBarcode: 422, .scannerBusy: 503, .broken: 500,
            ])
        #expect(try await answer(LoanError.allOnLoan).body == "conflict: No loan: allOnLoan.")
    }

    @Test func `an error of the domain may choose its problem`() async throws {
        let answer = try await answer(OverdueError())
        #expect(answer.status == 412 && answer.body == "precondition-failed: Give it back.")
    }
}

private struct PlainContext: ServiceContext {
    var coreContext: CoreRequestContextStorage
    var requestID = "test"

    init(source: ApplicationRequestContextSource) { coreContext = .init(source: source) }
}
