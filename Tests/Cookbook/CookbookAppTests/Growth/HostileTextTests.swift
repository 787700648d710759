import CookbookDomain
import HTTPTypes
import LarderDomain
import LarderStoreContract
import LarderTesting
import Testing

@testable import CookbookApp
@testable import LarderApp

/// Hostile texts in every text field: each is accepted, or rejected with the field named, and the service stays live.
@Suite(.serialized) struct HostileTextTests {
    /// Lengths in bytes, greater than the limit of most fields.
    private static let sizes = RunSize.current == .prove ? [500, 20_000, 60_000] : [4_000]

    @Test func `a body with a hostile text is accepted, or rejected with its field named`() async throws {
        let http = try await CookbookHarness()
        let token = try await http.user("ada@example.org", .admin)
        let owner = try await http.register("owner@example.org", .cook).id.description
        for field in try TextField.all(in: http) {
            try await Self.whileLive(http) {
                for hostile in HostileText.all {
                    for text in [hostile.text(codePoints: field.limit)] + Self.sizes.map(hostile.text(bytes:)) {
                        let body = String(decoding: field.body(text, owner: owner).bytes(), as: UTF8.self)
                        let reply = try await http.send(.post, "/v1/\(field.collection.path)", token: token, body: body)
                        let isNamed = reply.text.contains("\"\(field.pointer)")
                        // 409: all bodies share the values of the other members.
                        #expect(
                            [201, 409].contains(reply.status.code) || reply.status.code == 422 && isNamed,
                            "\(field), \(hostile): \(reply.status) \(reply.text.prefix(300))")
                    }
                }
            }
        }
    }

    @Test func `a query with a hostile text is answered, or rejected with its parameter named`() async throws {
        let http = try await CookbookHarness()
        let token = try await http.user("ada@example.org", .admin)
        let operations = try APIDescription().operations.filter { $0.method == "GET" && !$0.path.contains("{") }
        for operation in operations {
            try await Self.whileLive(http) {
                for name in operation.query {
                    for hostile in HostileText.all {
                        let value = hostile.text(bytes: 2_000).utf8.map { "%" + String($0, radix: 16) }.joined()
                        let reply = try await http.send(.get, "\(operation.path)?\(name)=\(value)", token: token)
                        let isCursor = ["after", "before"].contains(name)
                        let isNamed =
                            reply.text.contains("'\(name)'") || isCursor && reply.text.contains("cursor")
                        #expect(
                            reply.status == .ok || reply.status == .badRequest && isNamed,
                            "\(operation) \(name), \(hostile): \(reply.status) \(reply.text.prefix(300))")
                    }
                }
            }
        }
    }

    @Test(arguments: ImportField.all)
    func `a recipe with a hostile text is imported, or rejected with its property named`(
        _ field: ImportField
    ) async throws {
        let http = try await CookbookHarness()
        let token = try await http.user("ada@example.org", .admin)
        try await Self.whileLive(http) {
            let texts = HostileText.all.flatMap { text in ([300] + Self.sizes).map(text.text(bytes:)) }
            let lines = texts.enumerated().flatMap { number, text in
                field.recipe(text, number: number).bytes() + [UInt8(ascii: "\n")]
            }
            let reply = try await http.send(
                .post, "/v1/import", token: token, type: "application/x-ndjson", bytes: lines)
            let results = reply.text.split(separator: "\n").compactMap { try? JSON(parsing: String($0)) }
            #expect(results.count == texts.count + 1, "\(reply.text.prefix(300))")
            let failures = results.filter { $0["outcome"] == .string("failed") }
            #expect(!failures.isEmpty)
            for failure in failures {
                let reason = failure["reason"].flatMap { if case .string(let text) = $0 { text } else { nil } } ?? ""
                #expect(reason.contains(field.property) || reason.contains(field.field), "\(field): \(reason)")
            }
        }
    }

    /// Command lines that the text is appended to, with the name of the argument in errors.
    private static let commands: [(name: String, words: String)] = [
        ("only a user", "cookbooks add"), ("name", "brands add --language it"), ("tag", "list --tag"),
        ("name", "list --name"), ("after", "list --after"), ("recipe", "show"), ("tag", "tags delete"),
        ("cookbook", "cookbooks show"), ("e-mail", "users token"), ("language", "brands clear"),
    ]

    @Test func `a command with a hostile text succeeds, or rejects it with its argument named`() async throws {
        let larder = try await CommandsInProcess(overFiles: false)
        for (name, words) in Self.commands {
            for hostile in HostileText.all {
                for text in Self.sizes.map(hostile.text(bytes:)) {
                    let line = ShellLine("larder \(words) @").mapped { $0 == "@" ? text : $0 }
                    let answer = try await larder.run(line)
                    let names = [name, "argument", words.split(separator: " ").last.map(String.init) ?? ""]
                    #expect(
                        answer.status == 0 || names.contains { answer.errors.contains($0) },
                        "\(words), \(hostile): \(answer.status) \(answer.errors.prefix(300))")
                }
            }
        }
    }

    /// Checks that the service is live during other work.
    private static func whileLive(_ http: CookbookHarness, _ work: () async throws -> Void) async throws {
        async let live = http.send(.get, "/health/live")
        try await work()
        #expect(try await live.status == .ok)
    }
}
