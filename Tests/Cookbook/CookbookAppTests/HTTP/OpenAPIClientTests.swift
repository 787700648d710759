import HTTPTypes
import LarderApp
import LarderTesting
import Testing
import Yams

@testable import CookbookApp

/// Requirements of client generators on the document; `Tests/Proof/prove generated-clients` runs two generators.
@Suite struct OpenAPIClientTests {
    private let description: APIDescription

    init() throws {
        description = try APIDescription()
    }

    @Test func `arrays declare their items, and bodies a schema`() {
        var arrays = 0
        var bodies = 0
        func check(_ node: Node, _ path: String) {
            for (index, item) in description.list(node).enumerated() { check(item, "\(path)/\(index)") }
            let types = node["type"]?.sequence?.compactMap(\.string) ?? [node["type"]?.string].compactMap(\.self)
            if types.contains("array") {
                arrays += 1
                #expect(node["items"] != nil, "\(path)")
            }
            for (name, child) in description.entries(node) where name != "examples" && name != "value" {
                if path.hasSuffix("/content") {
                    bodies += 1
                    #expect(child["schema"] != nil, "\(path) \(name)")
                }
                check(child, "\(path)/\(name)")
            }
        }
        check(description.root, "")
        #expect(arrays > 10 && bodies > 80)
    }

    @Test func `no part of an allOf redeclares a member`() {
        let schemas = description.entries(description.root["components"]?["schemas"])
        #expect(schemas.count > 40)
        for (name, _) in schemas {
            let members = description.members(of: name).map(\.name)
            #expect(members.count == Set(members).count, "\(name): \(members)")
        }
    }

    @Test func `no member of a patch has a default, which clients would send`() {
        let patches = description.operations.filter { $0.method == "PATCH" }
        #expect(patches.count == 6)
        for operation in patches {
            let media = description.entries(operation.node["requestBody"]?["content"]).first?.node
            let name = media?["schema"]?["$ref"]?.string?.split(separator: "/").last.map(String.init) ?? ""
            let members = description.members(of: name)
            #expect(!members.isEmpty, "\(operation)")
            for member in members {
                #expect(description.resolved(member.schema)["default"] == nil, "\(name).\(member.name)")
            }
        }
    }

    @Test func `each PUT and PATCH of JSON has an example, which the service accepts`() async throws {
        let operations = description.operations.filter { operation in
            ["PUT", "PATCH"].contains(operation.method) && !operation.path.hasSuffix("/photo")
        }
        #expect(operations.count == 12)
        for operation in operations {
            let player = try await Kitchen.make()
            let content = description.entries(operation.node["requestBody"]?["content"])
            let media = try #require(content.first)
            let examples = description.entries(media.node["examples"])
            #expect(!examples.isEmpty, "\(operation)")
            for (name, example) in examples {
                let body = try JSON(try #require(description.resolved(example)["value"]))
                // The example's recipe does not exist; the kitchen's does.
                let text = String(decoding: body.bytes(), as: UTF8.self)
                    .replacing("0190f3a2-7c4e-7d1b-8a5f-3e2d1c0b9a87", with: "<recipe>")
                    .replacing("ada@example.org", with: "example@example.org")
                let lines = ["\(operation.method) \(Kitchen.path(of: operation)) as ada", "If-Match: *", "", text]
                let reply = try await player.answer(to: try player.request(lines))
                #expect(reply.status == .ok, "\(operation) \(name): \(reply.text)")
            }
        }
    }
}
