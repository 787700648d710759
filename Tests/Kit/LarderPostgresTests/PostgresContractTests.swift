#if Postgres
import LarderPostgres
import LarderStoreContract
import Testing

@Suite(.postgres)
struct PostgresContractTests {
    @Test func `the store keeps every law`() async {
        let verdicts = await StoreContract.judge(.postgres) { print($0) }
        for verdict in verdicts {
            if case .broken = verdict.verdict { Issue.record("\(verdict)") }
        }
        #expect(verdicts.count { $0.verdict == .kept } >= 120)
    }

    @Test func `clients of several stores on one database are told one story`() async throws {
        // Each client uses one of four stores, as in four processes.
        let fixture = StoreFixture("postgres, 4 stores") { schemas, scratch in
            var stores: [PostgresStore] = []
            for _ in 0..<4 { stores.append(try await Scratch.open(schemas, scratch, connections: 4)) }
            return AlternatingStore(stores)
        } discard: { scratch in
            await Scratch.drop(scratch)
        }
        let histories = RunSize.current.of(quick: 3, ci: 20, prove: 200)
        print(try await HistoryRun(fixture, histories: histories, operations: 1000, clients: 16).run())
    }
}
#endif
