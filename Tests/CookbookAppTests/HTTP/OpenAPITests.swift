import CookbookDomain
import HTTPTypes
import Hummingbird
import LarderApp
import LarderData
import Testing
import Yams

@testable import CookbookApp

@Suite struct OpenAPITests {
    private let description: APIDescription

    init() throws {
        description = try APIDescription()
    }

    @Test func `each route is in the document, and each operation of the document is a route`() async throws {
        let http = try await HTTPHarness()
        let operations = description.operations.map(\.description)
        #expect(Set(http.routes).subtracting(operations).sorted() == [])
        #expect(Set(operations).subtracting(http.routes).sorted() == [])
        #expect(operations.count == Set(operations).count)
    }

    @Test func `each operation has an id of its own, a tag that is described, and answers`() {
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

    @Test func `each parameter of a query is known to its route, and no other`() async throws {
        let http = try await HTTPHarness()
        let token = try await http.user("ada@example.org", .admin)
        let operations = description.operations.filter { !$0.query.isEmpty }
        #expect(operations.count >= 6)
        for operation in operations {
            for name in operation.query {
                let reply = try await http.send(.get, "\(operation.path)?\(name)=1", token: token)
                #expect(!reply.text.contains("There is no query parameter"), "\(operation) \(name)")
            }
            let reply = try await http.send(.get, "\(operation.path)?colour=1", token: token)
            #expect(reply.status == .badRequest, "\(operation)")
        }
    }

    @Test func `each path has its parameters`() {
        for operation in description.operations {
            let inPath = operation.path.matches(of: #/\{(\w+)\}/#).map { String($0.output.1) }
            let named = operation.parameters.filter { $0["in"]?.string == "path" }.compactMap { $0["name"]?.string }
            #expect(Set(inPath) == Set(named), "\(operation)")
        }
    }

    @Test func `what can be enumerated is enumerated`() {
        func values(_ schema: String, _ member: String) -> Set<String> {
            let node = description.members(of: schema).first { $0.name == member }?.schema
            return Set(description.list(node?["enum"]).filter { $0.null == nil }.compactMap(\.string))
        }
        func parameter(_ operation: String, _ name: String) -> Set<String> {
            let parameters = description.operations.first { $0.node["operationId"]?.string == operation }?.parameters
            let schema = parameters?.first { $0["name"]?.string == name }?["schema"]
            return Set(description.list(schema?["enum"]).compactMap(\.string))
        }
        #expect(values("Problem", "type") == Set(Problem.Kind.allCases.map(\.type)))
        #expect(values("UserMembers", "role") == Set(Role.allCases.map(\.rawValue)))
        #expect(parameter("listRecipes", "sort") == Set(RecipeSort.allCases.map(\.rawValue)))
        #expect(parameter("readAsset", "file") == Set(PageRoutes.assets.keys))
        for operation in description.operations where operation.path.hasSuffix("/photo") {
            let answer = description.entries(operation.node["responses"]).first { $0.name == "200" }?.node
            let content = (operation.node["requestBody"] ?? answer)?["content"]
            #expect(Set(description.entries(content).map(\.name)) == Set(MediaType.allCases.map(\.rawValue)))
        }
    }
}
