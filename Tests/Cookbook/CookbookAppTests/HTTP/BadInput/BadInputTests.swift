import HTTPTypes
import LarderApp
import LarderHTTP
import LarderTesting
import Testing

/// Each bad input is refused as specified, and changes nothing.
struct BadInputTests {
    @Test(arguments: BadInput.all)
    func `a bad input is refused`(input: BadInput) async throws {
        let player = try await Kitchen.shared.value
        let before = player.http.store.lastSequence
        let request = try player.request(input.request)
        let reply = try await player.answer(to: request)

        let answer = "\(reply.status): \(reply.text)"
        #expect(reply.status == input.kind.status, "\(answer)")
        #expect(reply.headers[.contentType] == "application/problem+json")
        #expect(reply.headers[.xRequestID] == CookbookHarness.requestID)
        #expect(reply.string("requestId") == CookbookHarness.requestID)
        #expect(reply.string("type") == input.kind.type, "\(answer)")
        #expect(reply.string("title") == input.kind.title)
        #expect(reply.json["status"] == .integer(Int64(input.kind.status.code)))
        #expect(reply.string("detail").count > 10, "\(answer)")
        #expect(reply.string("instance") == String(request.path.prefix { $0 != "?" }))
        #expect(reply.text.contains(input.says), "\(answer)")
        #expect(player.http.store.lastSequence == before, "something was stored")
    }

    @Test func `the table of bad inputs is long, and has no duplicate rows`() {
        let inputs = BadInput.all
        #expect(inputs.count >= 70)
        #expect(Set(inputs.map(\.request)).count == inputs.count)
        print("proof: bad inputs: \(inputs.count) refused through the router")
    }
}
