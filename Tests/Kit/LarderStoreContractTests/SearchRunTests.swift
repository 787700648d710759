import LarderInfrastructure
import LarderStoreContract
import Testing

struct SearchRunTests {
    @Test(arguments: [StoreFixture.memory, .dictionary, .file, .sqlite(.normal), .cachedSQLite])
    func `stores answer random searches as plain Swift does, also in transactions`(fixture: StoreFixture) async throws {
        let start = ContinuousClock.now
        let searches = RunSize.current.of(quick: 300, ci: 10_000, prove: 200_000)
        let found = try await SearchRun(searches: searches).judge(fixture)
        print(
            RunReport(
                "searches, \(fixture)", figure: "\(searches), of which \(found) found something",
                duration: ContinuousClock.now - start))
        #expect(found > searches / 4)
    }
}
