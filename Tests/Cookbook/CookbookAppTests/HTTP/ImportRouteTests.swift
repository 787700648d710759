import CookbookDomain
import Foundation
import HTTPTypes
import Hummingbird
import LarderApp
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import LarderTesting
import NIOCore
import Testing

@testable import CookbookApp

/// The sample recipes of the program.
private let sample = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../App/Cookbook/Resources/sample.jsonl")

struct ImportRouteTests {
    private func recipe(_ name: String) -> String { #"{"@type":"Recipe","identifier":"\#(name)","name":"\#(name)"}"# }

    private func take(
        _ text: String, as role: Role = .cook, type: String = "application/x-ndjson", headers: HTTPFields = [:]
    ) async throws -> HTTPReply {
        let http = try await CookbookHarness()
        let token = try await http.user("ada@example.org", role)
        return try await http.send(.post, "/v1/import", token: token, headers: headers, type: type, body: text)
    }

    /// The outcomes with their line numbers.
    private func outcomes(_ reply: HTTPReply) -> [String] {
        reply.lines.dropLast().map { String($0.dropFirst(#"{"line":"#.count).split(separator: "\"")[...3].joined()) }
    }

    @Test func `the sample is imported, and a second import changes nothing`() async throws {
        let http = try await CookbookHarness()
        let token = try await http.user("ada@example.org", .cook)
        let bytes = Array(try Data(contentsOf: sample))
        let first = try await http.send(
            .post, "/v1/import", token: token, type: "application/x-ndjson", bytes: bytes)
        #expect(first.status == .ok)
        #expect(first.headers[.contentType] == "application/x-ndjson")
        #expect(first.lines.count == 13)
        #expect(first.lines.last == #"{"inserted":12,"updated":0,"unchanged":0,"failed":0}"#)
        let second = try await http.send(
            .post, "/v1/import", token: token, type: "application/x-ndjson", bytes: bytes)
        #expect(second.lines.last == #"{"inserted":0,"updated":0,"unchanged":12,"failed":0}"#)
        #expect(second.text.replacing("unchanged", with: "inserted").hasPrefix(first.lines[0]))
        // The ids are those of the stored recipes, which belong to the caller.
        for line in first.lines.dropLast() {
            let id = line.split(separator: "\"id\":\"")[1].prefix(36)
            let read = try await http.send(.get, "/v1/recipes/\(id)")
            #expect(read.status == .ok)
            #expect(read.string("owner") != "")
        }
    }

    @Test func `results beyond the bound are counted in the summary`() throws {
        var results = ImportResults(limit: 200)
        for line in 1...100 { try results.add(line: line, failure: "is not a recipe") }
        let line = #"{"line":1,"outcome":"failed","reason":"is not a recipe"}"# + "\n"
        #expect(results.lines.count == 3 * line.utf8.count)
        #expect(try results.lines.bytes().starts(with: Array(line.utf8)))
        let summary = #"{"inserted":0,"updated":0,"unchanged":0,"failed":100,"omitted":97}"# + "\n"
        #expect(results.summary == Array(summary.utf8))
    }

    @Test func `bad lines are reported in order, and the others are imported`() async throws {
        let long = #"{"@type":"Recipe","name":"\#(String(repeating: "x", count: 1 << 20))"}"#
        let text = [
            recipe("A"), "{", "", long, recipe("B"), #"{"@type":"Recipe","name":""}"#, "[\(recipe("C")),7]",
            recipe("A"),
        ].joined(separator: "\r\n")
        let reply = try await take(text)
        #expect(reply.status == .ok)
        #expect(
            outcomes(reply) == [
                "1,outcome:inserted", "2,outcome:failed", "4,outcome:failed", "5,outcome:inserted", "6,outcome:failed",
                "7,outcome:inserted", "7,outcome:failed", "8,outcome:unchanged",
            ])
        let fault = "cannot be read as JSON: a name in double quotes is expected (column 2)"
        #expect(reply.lines[1] == #"{"line":2,"outcome":"failed","reason":"\#(fault)"}"#)
        #expect(reply.lines[2] == #"{"line":4,"outcome":"failed","reason":"is longer than 1048576 bytes"}"#)
        #expect(reply.lines.last == #"{"inserted":3,"updated":0,"unchanged":1,"failed":4}"#)
    }

    @Test func `an upload split anywhere gives the same results`() async throws {
        let text = "\u{FEFF}" + [recipe("Crêpe"), "{", recipe("B"), "", recipe("C")].joined(separator: "\r\n")
        let whole = try await take(text)
        for size in [1, 2, 3, 7, 64] {
            let http = try await CookbookHarness()
            let token = try await http.user("ada@example.org", .cook)
            let bytes = Array(text.utf8)
            let pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0...].prefix(size)) }
            #expect(try await HTTPReply(try await http.upload(pieces, token: token)).bytes == whole.bytes)
        }
        #expect(whole.lines.last == #"{"inserted":3,"updated":0,"unchanged":0,"failed":1}"#)
    }

    @Test func `an empty upload is valid`() async throws {
        #expect(try await take("\n\n").text == #"{"inserted":0,"updated":0,"unchanged":0,"failed":0}"# + "\n")
    }

    @Test(arguments: ["application/json", "application/ld+json; charset=utf-8"])
    func `the recipes of a document are counted`(type: String) async throws {
        let list = try await take("[\(recipe("A")), 5,\n\(recipe("B"))]", type: type)
        #expect(outcomes(list) == ["1,outcome:inserted", "2,outcome:failed", "3,outcome:inserted"])
        let graph = try await take(#"{"@graph":[{"@type":"WebSite"},\#(recipe("A"))]}"#, type: type)
        #expect(outcomes(graph) == ["1,outcome:inserted"])
        #expect(outcomes(try await take(recipe("A"), type: type)) == ["1,outcome:inserted"])
    }

    @Test func `what is left out is named for each recipe`() async throws {
        let reply = try await take(
            #"{"@graph":[{"@type":"WebSite"},{"@type":"Recipe","name":"A","nutrition":{},"totalTime":"PT5M"},\#(recipe("B"))]}"#,
            type: "application/ld+json")
        #expect(reply.lines[0].hasSuffix(#","notKept":["totalTime (stored as the cooking time)","nutrition"]}"#))
        #expect(!reply.lines[1].contains("notKept"))
        #expect(reply.lines.last == #"{"inserted":2,"updated":0,"unchanged":0,"failed":0,"passedOver":{"WebSite":1}}"#)
    }

    @Test func `a document of HTML is refused as such, and control characters are read`() async throws {
        let html = try await take("<html></html>", type: "application/json")
        #expect(html.status == .badRequest && html.text.contains("The document is HTML or XML, not JSON"))
        let lines = try await take("{\"@type\":\"Recipe\",\"name\":\"A\nB\"}", type: "application/json")
        #expect(outcomes(lines) == ["1,outcome:inserted"])
    }

    @Test func `a document that is invalid JSON, or too large, is refused as a whole`() async throws {
        for text in ["", "{", "[\(recipe("A")),]", recipe("A") + "\n" + recipe("B"), #"[{"name":"A","name":"B"}]"#] {
            #expect(try await take(text, type: "application/json").status == .badRequest, "\(text)")
        }
        let blanks = String(repeating: " ", count: 5 << 20)
        #expect(try await take("[]" + blanks, type: "application/json").status == .contentTooLarge)
    }

    @Test func `an invalid import request is refused before its body is read`() async throws {
        #expect(try await take("{}", type: "text/plain").status == .unsupportedMediaType)
        #expect(try await take("{}", headers: [.idempotencyKey: "a-key-of-mine"]).status == .badRequest)
        #expect(try await take("{}", as: .reader).status == .forbidden)
        let http = try await CookbookHarness()
        let never = AsyncThrowingStream<ByteBuffer, any Error> {
            Issue.record("the body is read")
            return nil
        }
        #expect(try await http.upload(never, token: nil).status == .unauthorized)
        let reader = try await http.user("bob@example.org", .reader)
        #expect(try await http.upload(never, token: reader).status == .forbidden)
        let cook = try await http.user("ada@example.org", .cook)
        #expect(try await http.upload(never, token: cook, type: nil).status == .unsupportedMediaType)
        #expect(try await http.upload(never, to: "/v1/import?a=1", token: cook).status == .badRequest)
    }

    @Test func `only the recipe of another owner fails`() async throws {
        let http = try await CookbookHarness()
        let ada = try await http.user("ada@example.org", .cook)
        let bob = try await http.user("bob@example.org", .cook)
        _ = try await HTTPReply(try await http.upload([Array(recipe("A").utf8)], token: ada))
        let changed = recipe("A").replacing("\"name\":\"A\"", with: "\"name\":\"Mine\"")
        let reply = try await HTTPReply(
            try await http.upload([Array("\(changed)\n\(recipe("B"))".utf8)], token: bob))
        #expect(outcomes(reply) == ["1,outcome:failed", "2,outcome:inserted"])
        #expect(reply.lines[0].contains("permission denied"))
    }

    @Test func `an immediate store failure is a problem, and a later one fails the remaining items`() async throws {
        let size = ImportRecipes.batchSize
        let text = (0..<3 * size + 30).map { recipe("\($0)") }.joined(separator: "\n")
        for (batch, status) in [(1, HTTPResponse.Status.serviceUnavailable), (3, .ok)] {
            let script = MemoryStore.Script()
            let http = try await CookbookHarness(script)
            let token = try await http.user("ada@example.org", .cook)
            let before = script.commits.count
            script.failCommit(number: before + batch, with: .unavailable(Unavailable(.full, "/secret/path is full")))
            let reply = try await HTTPReply(try await http.upload([Array(text.utf8)], token: token))
            #expect(reply.status == status)
            #expect(!reply.text.contains("secret"))
            // The store is not called again.
            #expect(script.commits.count == before + batch)
            guard status == .ok else { continue }
            #expect(reply.lines.count == 3 * size + 31)
            #expect(
                reply.lines[2 * size].hasPrefix(
                    #"{"line":\#(2 * size + 1),"outcome":"failed","reason":"The store is full"#))
            #expect(reply.lines.last == #"{"inserted":\#(2 * size),"updated":0,"unchanged":0,"failed":\#(size + 30)}"#)
        }
    }

    @Test func `committed batches are kept after the client disconnects`() async throws {
        let http = try await CookbookHarness()
        let token = try await http.user("ada@example.org", .cook)
        let (body, client) = AsyncThrowingStream<ByteBuffer, any Error>.makeStream()
        for number in 0..<ImportRecipes.batchSize + 25 { client.yield(ByteBuffer(string: recipe("\(number)") + "\n")) }
        client.finish(throwing: ClientGone())
        #expect(try await http.upload(body, token: token).status == .badRequest)
        #expect(
            try await http.send(.get, "/v1/recipes?limit=1&total=true").json["total"]
                == .integer(Int64(ImportRecipes.batchSize)))
    }
}
