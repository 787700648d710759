import CookbookDomain
import HTTPTypes
import Hummingbird
import LarderApp
import LarderData
import LarderHTTP
import LarderTesting
import Testing
import Yams

@testable import CookbookApp

@Suite struct OpenAPITests {
    private let description: APIDescription

    init() throws {
        description = try APIDescription()
    }

    @Test func `routes and documented operations are the same`() async throws {
        let http = try await CookbookHarness()
        let operations = description.operations.map(\.description)
        #expect(Set(http.routes).subtracting(operations).sorted() == [])
        #expect(Set(operations).subtracting(http.routes).sorted() == [])
        #expect(operations.count == Set(operations).count)
    }

    @Test func `each operation has a unique id, a described tag, and responses`() {
        let operations = description.operations
        let tags = Set(description.list(description.root["tags"]).compactMap { $0["name"]?.string })
        #expect(Set(operations.compactMap { $0.node["operationId"]?.string }).count == operations.count)
        for operation in operations {
            let named = description.list(operation.node["tags"]).compactMap(\.string)
            #expect(named.count == 1 && tags.isSuperset(of: named), "\(operation)")
            let statuses = description.entries(operation.node["responses"]).map(\.name)
            #expect(statuses.contains("default") && statuses.count > 1, "\(operation)")
        }
    }

    @Test func `each route accepts its documented query parameters once, and no others`() async throws {
        let http = try await CookbookHarness()
        let token = try await http.user("ada@example.org", .admin)
        let operations = description.operations.filter { !$0.query.isEmpty }
        #expect(operations.count >= 6)
        let names = Set(operations.flatMap(\.query)).union(["colour"])
        for operation in operations {
            for name in names {
                let reply = try await http.send(.get, "\(operation.path)?\(name)=1", token: token)
                let isUnknown = reply.text.contains("Unknown query parameter '\(name)'")
                #expect(isUnknown != operation.query.contains(name), "\(operation) \(name)")
                let doubled = try await http.send(.get, "\(operation.path)?\(name)=1&\(name)=2", token: token)
                #expect(doubled.status == .badRequest, "\(operation) \(name)")
                #expect(doubled.text.contains("'\(name)' is repeated"), "\(operation) \(name)")
            }
        }
    }

    @Test func `each body is accepted in the documented media types only`() async throws {
        let player = try await Kitchen.make()
        let operations = description.operations.filter { operation in
            operation.node["requestBody"] != nil && player.http.routes.contains("\(operation)")
        }
        let types = Set(operations.flatMap(description.bodyTypes)).union(["text/plain", "application/x-larder"])
        let acceptPatch = try #require(HTTPField.Name("Accept-Patch"))
        #expect(operations.count > 20 && types.count >= 9)
        for operation in operations {
            let path = Kitchen.path(of: operation)
            for type in types {
                let lines = ["\(operation.method) \(path) as ada", "Content-Type: \(type)", "If-Match: *", "", "[]"]
                let reply = try await player.answer(to: try player.request(lines))
                let isTaken = description.bodyTypes(of: operation).contains(type)
                #expect((reply.status != .unsupportedMediaType) == isTaken, "\(operation) \(type): \(reply.text)")
                guard !isTaken else { continue }
                let accepted = reply.headers[.accept] ?? reply.headers[acceptPatch] ?? ""
                let named = accepted.split(separator: ", ").map(String.init)
                #expect(Set(named) == Set(description.bodyTypes(of: operation)), "\(operation)")
            }
        }
    }

    @Test func `the YAML document equals the JSON document`() async throws {
        let http = try await CookbookHarness()
        let json = try JSON(parsing: try await http.send(.get, "/openapi.json").bytes)
        let yaml = try #require(try Yams.compose(yaml: try await http.send(.get, "/openapi.yaml").text))
        #expect(try JSON(yaml) == json)
        #expect(json["paths"]?["/v1/recipes"] != nil)
    }

    @Test func `each reference of the document resolves to a component`() throws {
        let json = try CookbookAPI.madePages.get().document.json
        var count = 0
        func check(_ value: JSON) {
            switch value {
            case .array(let elements): elements.forEach(check)
            case .object(let members):
                if case .string(let path)? = value["$ref"] {
                    let target = path.dropFirst(2).split(separator: "/").reduce(Optional(json)) { $0?[String($1)] }
                    #expect(path.hasPrefix("#/components/") && target != nil, "\(path)")
                    count += 1
                }
                members.map(\.value).forEach(check)
            default: break
            }
        }
        check(json)
        #expect(count > 500)
    }

    @Test func `each path has its parameters`() {
        for operation in description.operations {
            let inPath = operation.path.matches(of: #/\{(\w+)\}/#).map { String($0.output.1) }
            let named = operation.parameters.filter { $0["in"]?.string == "path" }.compactMap { $0["name"]?.string }
            #expect(Set(inPath) == Set(named), "\(operation)")
        }
    }

    @Test func `closed sets of values are enumerated`() throws {
        func values(_ schema: String, _ member: String) -> Set<String> {
            let node = description.members(of: schema).first { $0.name == member }.map {
                description.resolved($0.schema)
            }
            return Set(description.list(node?["enum"]).filter { $0.null == nil }.compactMap(\.string))
        }
        func parameter(_ operation: String, _ name: String) -> Set<String> {
            let parameters = description.operations.first { $0.node["operationId"]?.string == operation }?.parameters
            let schema = parameters?.first { $0["name"]?.string == name }?["schema"]
            return Set(description.list(schema?["enum"]).compactMap(\.string))
        }
        #expect(values("Problem", "type") == Set(Problem.Kind.allCases.map(\.type)))
        #expect(values("User", "role") == Set(Role.allCases.map(\.rawValue)))
        #expect(parameter("listRecipes", "sort") == Set(RecipeSort.allCases.map(\.rawValue)))
        #expect(parameter("readAsset", "file") == Set(try CookbookAPI.madePages.get().assets.keys))
        for operation in description.operations where operation.path.hasSuffix("/photo") && operation.method != "DELETE"
        {
            let answer = description.entries(operation.node["responses"]).first { $0.name == "200" }?.node
            let content = (operation.node["requestBody"] ?? answer)?["content"]
            #expect(Set(description.entries(content).map(\.name)) == Set(MediaType.allCases.map(\.rawValue)))
        }
    }
}
