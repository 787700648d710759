import HTTPTypes
import LarderApp
import LarderTesting
import Testing

@testable import CookbookApp

/// A permitted caller's body has a bounded number of values and of reported errors.
struct BodyBoundTests {
    /// A recipe with a number of steps without a text, and as many further values.
    private static func recipe(steps count: Int) -> String {
        #"{"name":"x","steps":[\#(Array(repeating: "{}", count: count).joined(separator: ","))]}"#
    }

    @Test func `a body with too many values is too large, and nothing changes`() async throws {
        let things = try await SomebodysThings()
        let before = try await things.everything()
        let body = Self.recipe(steps: JSON.greatestCount)
        for (method, path) in [
            (HTTPRequest.Method.post, "/v1/recipes"), (.put, "/v1/recipes/{recipe}"), (.patch, "/v1/recipes/{recipe}"),
            (.post, "/v1/import"),
        ] {
            let reply = try await things.send("Ann", method, path, body)
            #expect(reply.status == .contentTooLarge && reply.text.contains("100,000 values"), "\(method) \(path)")
        }
        #expect(try await things.everything() == before)
    }

    @Test func `an import refuses a line with too many values, and imports the others`() async throws {
        let things = try await SomebodysThings()
        let recipe = #"{"@type":"Recipe","name":"Pea soup"}"#
        let lines = [recipe, #"{"a":[\#(Array(repeating: "1", count: JSON.greatestCount).joined(separator: ","))]}"#]
        let reply = try await HTTPReply(
            try await things.http.upload(
                [Array((lines + [recipe.replacing("Pea", with: "Leek")]).joined(separator: "\n").utf8)],
                token: things.tokens["Ann"]))
        let outcomes = reply.text.split(separator: "\n")
        #expect(outcomes.count == 4 && outcomes[1].contains("too many values"), "\(reply.text)")
        #expect(outcomes.last == #"{"inserted":2,"updated":0,"unchanged":0,"failed":1}"#)
    }

    @Test func `at most 100 invalid fields are reported, and that there are more`() async throws {
        let things = try await SomebodysThings()
        for (count, detail) in [(100, "has 100 invalid fields."), (101, "has more than 100 invalid fields.")] {
            let reply = try await things.send("Ann", .post, "/v1/recipes", Self.recipe(steps: count))
            #expect(reply.status == .unprocessableContent && reply.text.contains(detail), "\(reply.text)")
            guard case .array(let errors)? = reply.json["errors"] else { return #expect(Bool(false)) }
            #expect(errors.count == 100)
        }
    }
}
