import LarderData
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import Synchronization
import Testing

struct ResponsePurgeTests {
    /// Answers `count` requests, one second apart.
    private func fill(_ service: Service, _ keeper: ResponseKeeper, _ count: Int) async throws {
        for number in 0..<count {
            _ = try await keeper.response(
                scope: ResponseScope(caller: "ann", method: "POST", route: "/"), key: "k-\(number)",
                requestDigest: [UInt8](repeating: 0, count: 32), manager: service.manager
            ) { _ in try ResponseContent(status: 200, body: [UInt8(number)]) }
            service.clock.advance(seconds: 1)
        }
    }

    private func kept(_ service: Service) async throws -> [UInt8] {
        try await service.manager.read(Query<StoredResponse>(sort: [Sort(\.createdAt)])).items.flatMap(\.content.body)
    }

    @Test func `expired entries are deleted in small commits, and the others remain`() async throws {
        let service = try await Service()
        let keeper = service.keeper()
        try await fill(service, keeper, 140)
        #expect(try await keeper.purge(service.manager) == 0)
        service.clock.advance(seconds: 86_400 - 5)
        #expect(try await keeper.purge(service.manager) == 100)
        #expect(try await keeper.purge(service.manager) == 36)
        #expect(try await keeper.purge(service.manager) == 0)
        #expect(try await kept(service) == [136, 137, 138, 139])
    }

    @Test func `a purge reads no responses`() async throws {
        let service = try await Service()
        let keeper = service.keeper()
        try await fill(service, keeper, 3)
        service.clock.advance(seconds: 86_400)
        let before = service.script.calls.count
        #expect(try await keeper.purge(service.manager) == 3)
        let calls = service.script.calls[before...]
        #expect(calls.count == 2)
        for call in calls {
            switch call {
            case .query(let request): #expect(request.content == .versions)
            case .commit(let changes): #expect(changes.deletes.count == 3)
            case .read: #expect(Bool(false), "rows are read")
            }
        }
    }

    @Test func `a response that replaces an expired one during a purge remains`() async throws {
        let service = try await Service()
        let keeper = service.keeper()
        try await fill(service, keeper, 2)
        service.clock.advance(seconds: 86_400)
        let isFirst = Mutex(true)
        service.script.beforeCommit { changes in
            guard !changes.deletes.isEmpty, isFirst.withLock({ exchange(&$0, with: false) }) else { return }
            try? await self.fill(service, keeper, 1)
        }
        #expect(try await keeper.purge(service.manager) == 1)
        #expect(try await service.manager.read(Query<StoredResponse>()).items.map(\.version) == [2])
    }
}
