import LarderInfrastructure
import LarderStoreContract
import Testing

struct HistoryRunTests {
    @Test(arguments: [StoreFixture.memory, .sqlite(.normal)])
    func `a store tells many clients one story`(fixture: StoreFixture) async throws {
        print(try await HistoryRun(fixture).run())
    }

    @Test func `so does one that waits for its file`() async throws {
        let histories = RunSize.current.of(quick: 1, ci: 20, prove: 500)
        print(try await HistoryRun(.file, histories: histories).run())
    }

    @Test(arguments: [StoreFixture.dictionary, .sqliteInMemory, .sqlite(.full), .cached, .cachedSQLite])
    func `so do a store of few lines, one without a file, one that waits for the disk, and two with a memory`(
        fixture: StoreFixture
    ) async throws {
        let histories = RunSize.current.of(quick: 1, ci: 10, prove: 500)
        print(try await HistoryRun(fixture, histories: histories).run())
    }
}
