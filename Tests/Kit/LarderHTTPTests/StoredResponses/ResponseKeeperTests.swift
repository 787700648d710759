import Crypto
import LarderData
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import Testing

struct ResponseKeeperTests {
    private static let day: Int64 = 86_400
    private let scope = ResponseScope(caller: "ann", method: "POST", route: "/v1/persons")

    private func digest(_ body: String) -> [UInt8] { Array(SHA256.hash(data: Array(body.utf8))) }

    /// Adds a person as a request would, and responds with it.
    private func post(
        _ service: Service, _ keeper: ResponseKeeper, _ name: String, key: String = "k-1", scope: ResponseScope? = nil
    ) async throws -> (content: ResponseContent, isReplay: Bool) {
        try await keeper.response(
            scope: scope ?? self.scope, key: key, requestDigest: digest(name), manager: service.manager
        ) { manager in
            let person = Person(id: EntityID(UUIDv7Generator().next()), name: name)
            try await manager.create(person)
            let fields = try ResponseFields([("Content-Type", "application/json"), ("Location", "/v1/\(person.id)")])
            return try ResponseContent(
                status: 201, fields: fields, body: Array("{\"id\":\"\(person.id)\"}\0\u{FF}".utf8))
        }
    }

    private func persons(_ service: Service) async throws -> Int {
        try await service.manager.read(Query<Person>()).items.count
    }

    @Test func `the same key and body get the same answer, made once in the commit of the change`() async throws {
        let service = try await Service()
        let keeper = service.keeper()
        let first = try await post(service, keeper, "Bob")
        #expect(!first.isReplay && first.content.fields["location"]?.hasPrefix("/v1/") == true)
        #expect(service.script.commits.map(\.inserts.count) == [2])
        let second = try await post(service, keeper, "Bob")
        #expect(second.isReplay && second.content == first.content)
        // A replay changes nothing.
        #expect(
            service.script.commits.filter { !$0.inserts.isEmpty || !$0.updates.isEmpty || !$0.deletes.isEmpty }.count
                == 1)
        #expect(try await persons(service) == 1)
    }

    @Test func `an answer survives a restart byte for byte`() async throws {
        try await withDatabase { path in
            let before = try await Service(path: path)
            let first = try await post(before, before.keeper(), "Bob")
            await before.store.close()
            let after = try await Service(path: path)
            let second = try await post(after, after.keeper(), "Bob")
            #expect(second.isReplay && second.content == first.content)
            #expect(try await persons(after) == 1)
            await after.store.close()
        }
    }

    @Test func `another body under the same key is refused`() async throws {
        let service = try await Service()
        let keeper = service.keeper()
        _ = try await post(service, keeper, "Bob")
        await #expect(throws: ResponseRefusal.reused) { try await post(service, keeper, "Cleo") }
        #expect(try await persons(service) == 1)
    }

    @Test func `a key counts for its caller, method and route, which do not run together`() async throws {
        let service = try await Service()
        let keeper = service.keeper()
        let scopes: [ResponseScope] = [
            scope, ResponseScope(caller: "bob", method: "POST", route: "/v1/persons"),
            ResponseScope(caller: "ann", method: "PUT", route: "/v1/persons"),
            ResponseScope(caller: "ann", method: "POST", route: "/v1/tags"),
            ResponseScope(caller: "annP", method: "OST", route: "/v1/persons"),
        ]
        for (number, scope) in scopes.enumerated() {
            #expect(try await !post(service, keeper, "Person \(number)", scope: scope).isReplay)
        }
        #expect(try await persons(service) == scopes.count)
    }

    @Test func `while one request runs, a second with its key is refused and another continues`() async throws {
        let service = try await Service()
        let keeper = service.keeper()
        let answer = try ResponseContent(status: 200)
        let result = try await keeper.response(
            scope: scope, key: "k-1", requestDigest: digest(""), manager: service.manager
        ) { _ in
            // From another task, which does not belong to the running transaction.
            await Task.detached {
                await #expect(throws: ResponseRefusal.inProgress) { try await self.post(service, keeper, "Bob") }
                _ = try? await self.post(service, keeper, "Cleo", key: "k-2")
            }.value
            return answer
        }
        #expect(result.content == answer && !result.isReplay)
        #expect(try await persons(service) == 1)
    }

    @Test func `of many at the same time one is answered, and the rest are refused or get its answer`() async throws {
        let service = try await Service()
        let keeper = service.keeper()
        let results = await withTaskGroup(of: Result<(content: ResponseContent, isReplay: Bool), any Error>.self) {
            group in
            for _ in 0..<16 {
                group.addTask {
                    do { return .success(try await self.post(service, keeper, "Bob")) } catch { return .failure(error) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var made: [ResponseContent] = []
        for result in results {
            switch result {
            case .success(let result): if !result.isReplay { made.append(result.content) }
            case .failure(let error): #expect(error as? ResponseRefusal == .inProgress)
            }
        }
        #expect(made.count == 1)
        #expect(try await persons(service) == 1)
    }

    @Test func `an error stores nothing, and the key can be used again`() async throws {
        struct Failed: Error {}
        let service = try await Service()
        let keeper = service.keeper()
        await #expect(throws: Failed.self) {
            try await keeper.response(
                scope: scope, key: "k-1", requestDigest: digest("Bob"), manager: service.manager
            ) { manager in
                try await manager.create(Person(id: EntityID(UUIDv7Generator().next()), name: "Bob"))
                throw Failed()
            }
        }
        #expect(try await persons(service) == 0 && service.script.commits.isEmpty)
        #expect(try await !post(service, keeper, "Bob").isReplay)
    }

    @Test func `the body of a longer response is sent, but not replayed`() async throws {
        let service = try await Service()
        let keeper = service.keeper(ResponseLimits(bodySize: 8))
        let first = try await post(service, keeper, "Bob")
        #expect(!first.isReplay && first.content.body.count > 8)
        let second = try await post(service, keeper, "Bob")
        #expect(second.isReplay && second.content.status == 201 && second.content.body.isEmpty)
        #expect(second.content.fields["Location"] == first.content.fields["Location"])
        #expect(second.content.fields["Content-Type"] == nil)
        #expect(try await persons(service) == 1)
    }

    @Test func `after a day the key is forgotten, and its next answer takes the place of the old one`() async throws {
        let service = try await Service()
        let keeper = service.keeper()
        _ = try await post(service, keeper, "Bob")
        service.clock.advance(seconds: Self.day - 1)
        #expect(try await post(service, keeper, "Bob").isReplay)
        service.clock.advance(seconds: 1)
        #expect(try await !post(service, keeper, "Cleo").isReplay)
        #expect(try await post(service, keeper, "Cleo").isReplay)
        #expect(try await service.manager.read(Query<StoredResponse>()).items.map(\.version) == [2])
    }

    @Test(arguments: ["", "a b", "a\u{7F}", "a\n", "schl\u{FC}ssel", String(repeating: "k", count: 256)])
    func `a key is 1 to 255 visible ASCII characters`(key: String) async throws {
        let service = try await Service()
        await #expect(throws: ResponseRefusal.invalidKey) { try await post(service, service.keeper(), "Bob", key: key) }
        let longest = String(repeating: "~", count: 255)
        #expect(try await !post(service, service.keeper(), "Bob", key: longest).isReplay)
    }
}
