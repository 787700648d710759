import CookbookDomain
import HTTPTypes
import Hummingbird
import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import LarderTesting
import NIOCore
import Testing

@testable import CookbookApp

struct ChangesRouteTests {
    private static let own = RawID(high: 0, low: 1)
    private static let others = RawID(high: 0, low: 2)

    /// The callers by name; users have the id ``own``.
    private static let callers: [(name: String, caller: Caller)] = [
        ("anonymous", .anonymous), ("reader", .user(EntityID(own), .reader)), ("cook", .user(EntityID(own), .cook)),
        ("admin", .user(EntityID(own), .admin)), ("system", .system),
    ]

    /// For each entity type in the store, the callers who receive a change: of their own entity (a user: the caller),
    /// of another user's, and of an entity without owner.
    private static let table: [String: (own: Set<String>, others: Set<String>, nobodys: Set<String>)] = {
        let everyone: Set<String> = ["anonymous", "reader", "cook", "admin", "system"]
        let known: Set<String> = ["reader", "cook", "admin", "system"]
        let admins: Set<String> = ["admin", "system"]
        return [
            "recipe": (everyone, everyone, everyone), "tag": (everyone, everyone, everyone),
            "brand": (everyone, everyone, everyone), "photo": (everyone, everyone, everyone),
            "user": (known, admins, admins), "cookbook": (known, admins, admins),
            "cooking_session": (known, admins, admins), "access_token": ([], [], []), "stored_answer": ([], [], []),
            "follower_state": ([], [], []), "set_aside_changes": ([], [], []), "recurring_state": ([], [], []),
            "work_lease": ([], [], []),
        ]
    }()

    @Test func `the table lists every stored entity`() throws {
        let schemas = try MapperSet(Container.mappers).schemas
        #expect(Set(schemas.roots.map(\.name)) == Set(Self.table.keys))
    }

    @Test(arguments: table.keys.sorted(), callers.map(\.name))
    func `an event is sent only to callers who may see the entity`(entity: String, name: String) throws {
        let caller = try #require(Self.callers.first { $0.name == name }).caller
        let expected = try #require(Self.table[entity])
        let isUser = entity == "user"
        for kind in [CommittedChange.Kind.inserted, .updated, .deleted] {
            func sees(owner: RawID?) -> Bool {
                let id = isUser ? owner ?? Self.others : RawID(high: 9, low: 9)
                let reference = EntityReference(entity: entity, id: id)
                let change = CommittedChange(reference, kind: kind, version: 1, owner: isUser ? nil : owner)
                return Self.isTold(caller, [change])
            }
            #expect(sees(owner: Self.own) == expected.own.contains(name))
            #expect(sees(owner: Self.others) == expected.others.contains(name))
            #expect(sees(owner: nil) == expected.nobodys.contains(name))
        }
    }

    @Test(arguments: table.keys.sorted(), callers.map(\.name))
    func `an event for a whole kind is sent to callers who may see their own entities`(
        entity: String, name: String
    ) throws {
        let caller = try #require(Self.callers.first { $0.name == name }).caller
        func isTold(of entity: String) -> Bool {
            let target = EntityReference(entity: "tag", id: Self.others)
            return Self.isTold(caller, removals: [RemovedReference(from: entity, path: ["tags"], to: target)])
        }
        #expect(isTold(of: entity) == Self.table[entity]?.own.contains(name))
        #expect(!isTold(of: "secret"))
    }

    /// Whether the policies of a caller leave anything of a commit.
    private static func isTold(
        _ caller: Caller, _ entries: [CommittedChange] = [], removals: [RemovedReference] = []
    ) -> Bool {
        let token = ChangeToken(lifetime: 1, position: 1)
        let commit = CommittedChanges(token: token, id: CommitID(), entries: entries, removals: removals)
        return PolicySet.cookbook(for: caller, readingIsOpen: true).followed(commit) == commit
    }

    @Test func `deleting a tag marks recipes as stale, without their ids`()
        async throws
    {
        let http = try await CookbookHarness()
        let cook = try await http.user("cleo@example.org", .admin)
        let tag = try await http.send(.post, "/v1/tags", token: cook, body: #"{"name":"soup"}"#)
        let recipe = #"{"name":"Borscht","tags":[{"id":"\#(tag.string("id"))"}]}"#
        #expect(try await http.send(.post, "/v1/recipes", token: cook, body: recipe).status == .created)
        try await http.feed.catchUp(with: http.store)
        let told = BodyCollector()
        let stream = try await Self.listen(to: http, token: cook, told)
        let deleted = try await http.send(
            .delete, "/v1/tags/\(tag.string("id"))", token: cook, headers: [.ifMatch: "*"])
        #expect(deleted.status == .noContent)
        try await http.feed.catchUp(with: http.store)
        try await http.feed.settle()
        stream.cancel()
        _ = await stream.result
        let text = String(decoding: told.bytes, as: UTF8.self)
        #expect(text.contains(#""kind":"deleted"}],"stale":["recipe"]}"#), "\(text)")
    }

    @Test(arguments: [#"{"role":"reader"}"#, #"{"role":"cook"}"#])
    func `a former admin receives no admin events after the next heartbeat`(patch: String) async throws {
        let http = try await CookbookHarness()
        let ada = try await http.user("ada@example.org", .admin)
        let (bob, token) = try await http.register("bob@example.org", .admin)
        let cleo = try await http.user("cleo@example.org", .reader)
        try await http.feed.catchUp(with: http.store)
        let told = BodyCollector()
        let stream = try await Self.listen(to: http, token: token, told)
        let changed = try await http.send(
            .patch, "/v1/users/\(bob)", token: ada, headers: [.ifMatch: "*"], type: "application/merge-patch+json",
            body: patch)
        #expect(changed.status == .ok)
        try await http.feed.catchUp(with: http.store)
        try await http.feed.beat()
        let made = try await http.send(.post, "/v1/cookbooks", token: cleo, body: #"{"name":"Mine"}"#)
        #expect(made.status == .created)
        try await http.feed.catchUp(with: http.store)
        try await http.feed.settle()
        stream.cancel()
        _ = await stream.result
        let text = String(decoding: told.bytes, as: UTF8.self)
        #expect(text.contains("event: hello") && text.contains("\(bob)"))
        #expect(!text.contains(made.string("id")), "\(text)")
    }

    private static func listen(
        to http: CookbookHarness, token: String, _ told: BodyCollector
    ) async throws -> Task<Void, any Error> {
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: "localhost", path: "/v1/changes",
            headerFields: [.authorization: "Bearer \(token)"])
        let response = try await http.response(to: Request(head: head, body: RequestBody(buffer: ByteBuffer())))
        return Task { try await response.body.write(told) }
    }

    @Test func `an entity of an unknown kind is visible to no caller`() {
        let secret = EntityReference(entity: "secret", id: Self.own)
        for (_, caller) in Self.callers {
            #expect(!Self.isTold(caller, [CommittedChange(secret, kind: .inserted, version: 1, owner: Self.own)]))
        }
    }
}
