import Foundation
import LarderInfrastructure
import LarderStoreContract
import Testing

struct ModelRunTests {
    @Test(arguments: [StoreFixture.memory, .file, .sqlite(.normal)])
    func `a store answers random operations as the model does`(fixture: StoreFixture) async throws {
        print(try await ModelRun(fixture).run())
    }

    @Test(arguments: [StoreFixture.dictionary, .sqliteInMemory, .sqlite(.full), .cached])
    func `so do a store of few lines, one without a file, one that waits for the disk, and one with a memory`(
        fixture: StoreFixture
    ) async throws {
        let operations = RunSize.current.of(quick: 200, ci: 3_000, prove: 1_000_000)
        print(try await ModelRun(fixture, operations: operations).run())
    }

    /// `LARDER_TAPE=00… make test ONLY=ModelRunTests`
    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["LARDER_TAPE"] != nil, "LARDER_TAPE gives no tape"),
        arguments: StoreFixture.all)
    func `a reported tape has the results of the model`(fixture: StoreFixture) async throws {
        let tape = ProcessInfo.processInfo.environment["LARDER_TAPE"] ?? ""
        if let disagreement = try await ModelRun(fixture).replay(tape) { Issue.record("\(disagreement)") }
    }

    @Test func `any bytes are a run, and any other text is none`() async throws {
        let run = ModelRun(.memory)
        for tape in ["", "00", "ff", "fe 00-01", "E0FFFF", String(repeating: "a5", count: 500)] {
            #expect(try await run.replay(tape) == nil)
        }
        for text in ["0", "0x00", "tape", "00-0"] {
            await #expect(throws: TapeUnreadable.self) { try await run.replay(text) }
        }
    }
}
