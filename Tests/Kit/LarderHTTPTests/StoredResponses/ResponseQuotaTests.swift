import HTTPTypes
import LarderData
import LarderDomain
import LarderHTTP
import Testing

/// The number of keys of one caller is bounded, and none is forgotten early.
struct ResponseQuotaTests {
    private static let day: Int64 = 86_400

    private func post(
        _ service: Service, _ keeper: ResponseKeeper, as caller: String, _ key: String, quota: Int = 3
    ) async throws -> Bool {
        try await keeper.response(
            scope: ResponseScope(caller: caller, method: "POST", route: "/"), key: key,
            requestDigest: [UInt8](repeating: 0, count: 32), quota: quota, manager: service.manager
        ) { _ in try ResponseContent(status: 201) }.isReplay
    }

    private func refusal(_ body: () async throws -> Bool) async -> ResponseRefusal? {
        do {
            _ = try await body()
            return nil
        } catch { return error as? ResponseRefusal }
    }

    @Test func `a new key beyond the quota is refused, and all others remain`() async throws {
        let service = try await Service()
        let keeper = service.keeper()
        #expect(try await !post(service, keeper, as: "cook", "soup"))
        for key in 0..<20 {
            service.clock.advance(seconds: 1)
            let refusal = await refusal { try await post(service, keeper, as: "reader", "\(key)") }
            let expected = ResponseRefusal.quotaExceeded(
                limit: 3, retryAfter: .seconds(Self.day - Int64(key)))
            #expect(refusal == (key < 3 ? nil : expected))
            while try await keeper.purge(service.manager) > 0 {}
        }
        #expect(try await post(service, keeper, as: "cook", "soup"))
        for key in 0..<3 { #expect(try await post(service, keeper, as: "reader", "\(key)")) }
    }

    @Test func `the refusal is 429, with the time until a key expires`() throws {
        let refusal = ResponseRefusal.quotaExceeded(limit: 3, retryAfter: .milliseconds(4_001))
        let problem = try #require(Problem(refusal))
        #expect(problem.kind == .idempotencyQuotaExceeded && problem.status == .tooManyRequests)
        #expect(problem.headers[.retryAfter] == "5")
    }

    @Test func `an expired key makes room, also before it is purged`() async throws {
        let service = try await Service()
        let keeper = service.keeper()
        for key in 0..<3 {
            #expect(try await !post(service, keeper, as: "reader", "\(key)"))
            service.clock.advance(seconds: 1)
        }
        service.clock.advance(seconds: Self.day - 4)
        #expect(await refusal { try await post(service, keeper, as: "reader", "new") } != nil)
        service.clock.advance(seconds: 1)
        #expect(try await !post(service, keeper, as: "reader", "new"))
        #expect(await refusal { try await post(service, keeper, as: "reader", "newer") } != nil)
    }

    @Test(arguments: 0..<5)
    func `concurrent requests do not exceed the quota`(round: Int) async throws {
        let service = try await Service()
        let keeper = service.keeper()
        await withTaskGroup { group in
            for key in 0..<40 {
                group.addTask { _ = try? await post(service, keeper, as: "reader", "\(key)", quota: 10) }
            }
        }
        let stored = try await service.manager.read(Query<StoredResponse>()).items.count
        #expect((1...10).contains(stored))
        // At rest, the quota can be used completely.
        for key in stored..<10 { #expect(try await !post(service, keeper, as: "reader", "late-\(key)", quota: 10)) }
        #expect(await refusal { try await post(service, keeper, as: "reader", "last", quota: 10) } != nil)
    }

    @Test func `the responses of a version without quotas are replayed, and are not counted`() async throws {
        let service = try await Service()
        let keeper = service.keeper()
        for key in 0..<3 { #expect(try await !post(service, keeper, as: "reader", "\(key)")) }
        for item in try await service.store.read(ReadRequest(StoredResponseMapper.schema)).items {
            var object = item
            object.values[5] = .null
            _ = try await service.store.commit(
                ChangeSet(
                    updates: [
                        RootUpdate(
                            item.key, expected: item.version, changes: ObjectChanges(from: item, to: object),
                            owner: nil)
                    ]))
        }
        #expect(try await post(service, keeper, as: "reader", "0"))
        #expect(try await !post(service, keeper, as: "reader", "new"))
    }
}
