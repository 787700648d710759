import LarderData
import LarderDomain
import LarderHTTP
import Testing

struct AnswerPurgeTests {
    /// Answers `count` requests, one second apart.
    private func fill(_ service: Service, _ keeper: AnswerKeeper, _ count: Int) async throws {
        for number in 0..<count {
            _ = try await keeper.answer(
                scope: AnswerScope(caller: "ann", method: "POST", route: "/"), key: "k-\(number)",
                requestDigest: [UInt8](repeating: 0, count: 32), manager: service.manager
            ) { _ in try Answer(status: 200, body: [UInt8(number)]) }
            service.clock.advance(seconds: 1)
        }
    }

    private func kept(_ service: Service) async throws -> [UInt8] {
        try await service.manager.read(Query<StoredAnswer>(sort: [Sort(\.createdAt)])).items.flatMap(\.answer.body)
    }

    @Test func `expired entries are deleted in small commits, and the others remain`() async throws {
        let service = try await Service()
        let keeper = service.keeper()
        try await fill(service, keeper, 40)
        #expect(try await keeper.purge(service.manager) == 0)
        service.clock.advance(seconds: 86_400 - 5)
        #expect(try await keeper.purge(service.manager) == 32)
        #expect(try await keeper.purge(service.manager) == 4)
        #expect(try await keeper.purge(service.manager) == 0)
        #expect(try await kept(service) == [36, 37, 38, 39])
    }

    @Test func `beyond the bound the oldest go`() async throws {
        let service = try await Service()
        let keeper = service.keeper(AnswerLimits(count: 3))
        try await fill(service, keeper, 37)
        #expect(try await keeper.purge(service.manager) == 32)
        #expect(try await keeper.purge(service.manager) == 2)
        #expect(try await keeper.purge(service.manager) == 0)
        #expect(try await kept(service) == [34, 35, 36])
    }
}
