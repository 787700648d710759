import CookbookDomain
import HTTPTypes
import LarderDomain
import LarderTesting
import Testing

@testable import CookbookApp

@Suite struct StoreTroubleTests {
    @Test(arguments: [Unavailable.Reason.busy, .full, .readOnly, .failed])
    func `a change during a store failure is answered with 503, and reads continue`(
        _ reason: Unavailable.Reason
    ) async throws {
        let http = try await CookbookHarness()
        let token = try await http.user("ada@example.org", .admin)
        let tag = try await http.send(.post, "/v1/tags", token: token, body: #"{"name":"Soup"}"#)
        let path = try #require(tag.headers[.location])
        http.store.commitFailure = .unavailable(Unavailable(reason, "write /secret/path: no"))

        let change = #"{"name":"Broth"}"#
        for refused in [
            try await http.send(.post, "/v1/tags", token: token, body: change),
            try await http.send(.put, path, token: token, headers: [.ifMatch: tag.tag], body: change),
            try await http.send(.delete, path, token: token, headers: [.ifMatch: tag.tag]),
        ] {
            #expect(refused.status == .serviceUnavailable)
            #expect(refused.headers[.retryAfter].flatMap(Int.init) ?? 0 > 0)
            #expect(!refused.text.contains("secret"))
        }
        #expect(try await http.send(.get, path).text == tag.text)
        #expect(try await http.send(.get, "/v1/tags").status == .ok)

        http.store.commitFailure = nil
        let changed = try await http.send(.put, path, token: token, headers: [.ifMatch: tag.tag], body: change)
        #expect(changed.status == .ok)
    }
}
