import CookbookData
import HTTPTypes
import LarderApp
import LarderData
import LarderHTTP
import LarderTesting
import Testing

@testable import CookbookApp

@Suite("Entity tags and representation members")
struct EntityTagFormTests {
    @Test func `a new member changes entity tags, although schema and version are unchanged`() {
        let schema = TagMapper.mapping.schema
        let lists: [[String]] = [[], ["id"], ["id", "name"]]
        let tags = lists.map {
            EntityTag(SchemaFingerprint(schema, members: $0), version: 1).text
        }
        #expect(Set(tags).count == 3)
    }

    @Test func `each kind declares its representation's members for its entity tags`() async throws {
        let things = try await SomebodysThings()
        let whole = #"{"name":"Pie","steps":[{"text":"a"}],"ingredients":[{"text":"b"}],"tags":[{"id":"{tag}"}]}"#
        let recipe = try await things.send("admin", .post, "/v1/recipes", whole).json
        let shown: [(String, [ResourceMember])] = [
            ("/v1/users/{ann}", UserResource.members), ("/v1/cookbooks/{cookbook}", CookbookResource.members),
            ("/v1/sessions/{session}", SessionResource.members), ("/v1/tags/{tag}", TagResource.members),
            ("/v1/brands/{brand}", BrandResource.members),
        ]
        #expect(Self.names(recipe) == Set(RecipeResource.members.flatMap(\.names)))
        for (path, members) in shown {
            #expect(
                Self.names(try await things.send("admin", .get, path, nil).json) == Set(members.flatMap(\.names)),
                "\(path)")
        }
    }

    /// The names of an object's members, also within lists, where they follow the name of the list.
    private static func names(_ json: JSON) -> Set<String> {
        guard case .object(let members) = json else { return [] }
        var names = Set(members.map(\.name))
        for member in members {
            guard case .array(let elements) = member.value else { continue }
            for name in elements.flatMap(Self.names) { names.insert("\(member.name).\(name)") }
        }
        return names
    }
}
