import CookbookData
import CookbookDomain
import LarderApp
import LarderData
import LarderDomain
import LarderTesting
import Yams

@testable import CookbookApp
import LarderHTTP

/// A text member of an HTTP request body, found in the OpenAPI document.
struct TextField: CustomStringConvertible, Sendable {
    let collection: OpenAPIBoundsTests.Collection
    /// The path of member names, the outermost first: `steps`, `text`.
    let path: [String]
    /// Whether the text is an element of a list of texts.
    let isElement: Bool
    /// The maximum number of code points.
    let limit: Int
    /// Decodes the entity of a body, encodes it as a storage object, and decodes that again.
    let read: @Sendable (_ body: JSON) -> Void

    var description: String { "\(collection.path) \(path.joined(separator: "."))" }
    /// The prefix of the pointer in an error.
    var pointer: String { "/" + path[0] }

    /// A body with a given text in this field.
    func body(_ text: String, owner: String = "0190f3a2-7c4e-7d1b-8a5f-3e2d1c0b9a87") -> JSON {
        let isAddress = path == ["email"]
        var value = JSON.string(isAddress ? text + "@example.org" : text)
        if isElement { value = .array([value]) }
        for name in path.dropFirst().reversed() { value = .array([.object([.init(name, value)])]) }
        let owner = JSON.Member("owner", .string(owner))
        let rest = collection.least.filter { $0.0 != path[0] }.map { JSON.Member($0.0, .string($0.1)) }
        let needed = path == ["ingredients", "unit"] ? [JSON.Member("text", .string("Salt"))] : []
        if !needed.isEmpty, case .array(let elements) = value, case .object(let members)? = elements.first {
            value = .array([.object(needed + members)])
        }
        return JSON.object(rest + [owner, .init(path[0], value)])
    }

    /// All text fields.
    static func all(in http: CookbookHarness) throws -> [TextField] {
        let description = try APIDescription()
        let cookbook = http.api.system
        return OpenAPIBoundsTests.collections.flatMap { collection in
            let read = reader(of: collection.path, in: cookbook)
            return texts(in: description.members(of: collection.schema), of: description).map { text in
                TextField(
                    collection: collection, path: text.path, isElement: text.isElement, limit: text.limit, read: read)
            }
        }
    }

    private typealias Found = (path: [String], isElement: Bool, limit: Int)

    private static func texts(in members: [(name: String, schema: Node)], of description: APIDescription) -> [Found] {
        members.flatMap { name, schema -> [Found] in
            let schema = description.resolved(schema)
            if let limit = schema["maxLength"]?.int { return [([name], false, limit)] }
            guard let items = schema["items"].map(description.resolved) else { return [] }
            if let limit = items["maxLength"]?.int { return [([name], true, limit)] }
            let inner = description.entries(items["properties"]).map { ($0.name, $0.node) }
            return texts(in: inner.filter { $0.0 != "name" }, of: description).map {
                ([name] + $0.path, $0.isElement, $0.limit)
            }
        }
    }

    private static func reader(of collection: String, in cookbook: OpenCookbook) -> @Sendable (JSON) -> Void {
        switch collection {
        case "recipes": reader(RecipeResource.self, RecipeMapper.self, cookbook)
        case "tags": reader(TagResource.self, TagMapper.self, cookbook)
        case "brands": reader(BrandResource.self, BrandMapper.self, cookbook)
        case "cookbooks": reader(CookbookResource.self, CookbookMapper.self, cookbook)
        case "sessions": reader(SessionResource.self, CookingSessionMapper.self, cookbook)
        default: reader(UserResource.self, UserMapper.self, cookbook)
        }
    }

    private static func reader<R: Resource, Mapper: EntityMapper>(
        _: R.Type, _: Mapper.Type, _ cookbook: OpenCookbook
    ) -> @Sendable (JSON) -> Void where R.Model == Mapper.Model, R.Scope == OpenCookbook {
        { body in
            var fields = JSONFields(body)
            guard let entity = try? R.entity(from: &fields, replacing: nil, in: cookbook),
                let object = try? Mapper.storageObject(from: entity)
            else { return }
            _ = try? Mapper.stored(from: object)
        }
    }
}
