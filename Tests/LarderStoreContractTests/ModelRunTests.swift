import Foundation
import LarderInfrastructure
import LarderStoreContract
import Testing

struct ModelRunTests {
    @Test(arguments: [StoreFixture.memory, .dictionary, .sqliteInMemory, .sqlite(.normal)])
    func `a store answers random operations as the model does`(fixture: StoreFixture) async throws {
        print(try await ModelRun(fixture).run())
    }

    @Test func `a store that waits for the disk answers random operations as the model does`() async throws {
        let operations = RunSize.current.of(quick: 200, ci: 3000, prove: 100_000)
        print(try await ModelRun(.sqlite(.full), operations: operations).run())
    }

    /// `LARDER_TAPE=00… make test ONLY=ModelRunTests`
    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["LARDER_TAPE"] != nil, "LARDER_TAPE gives no tape"),
        arguments: [StoreFixture.memory, .dictionary, .sqliteInMemory, .sqlite(.normal), .sqlite(.full)])
    func `a tape that somebody reported is answered as the model does`(fixture: StoreFixture) async throws {
        let tape = ProcessInfo.processInfo.environment["LARDER_TAPE"] ?? ""
        if let disagreement = try await ModelRun(fixture).replay(tape) { Issue.record("\(disagreement)") }
    }
}
