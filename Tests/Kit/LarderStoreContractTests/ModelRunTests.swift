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
    func `a tape that somebody reported is answered as the model does`(fixture: StoreFixture) async throws {
        let tape = ProcessInfo.processInfo.environment["LARDER_TAPE"] ?? ""
        if let disagreement = try await ModelRun(fixture).replay(tape) { Issue.record("\(disagreement)") }
    }

    @Test(arguments: Mutation.seenByTheModel)
    func `a store that does something wrong is caught, by a short tape that shows it again`(
        mutation: Mutation
    ) async throws {
        let run = ModelRun(.mutant(mutation), operations: 20_000, seed: 1)
        let found = await #expect(throws: ModelDisagreement.self) { try await run.run() }
        let disagreement = try #require(found)
        let operations = disagreement.tape.split(separator: "-").count
        #expect(operations <= 7, "\(disagreement)")
        #expect(disagreement.steps.count <= 8)
        #expect(try await run.replay(disagreement.tape)?.reason == disagreement.reason)
        #expect(try await ModelRun(.memory).replay(disagreement.tape) == nil)
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

extension Mutation {
    /// Mutants that a single client can detect.
    fileprivate static let seenByTheModel: [Mutation] = {
        let names: Set = [
            "does not raise versions", "finds one fewer", "puts what is missing last",
            "counts the page instead of the whole", "gives each link back once, in the order of ids",
            "loses what owned objects own", "forgets what it acknowledged", "creates over what is there",
            "leaves owned objects where they were", "does not judge uniqueness",
            "takes whatever the commit writes under a holder's id for the holder", "lets references dangle",
            "deletes whatever refers to what is deleted", "does not look whether it was cancelled",
            "says that it was cancelled after it committed",
        ]
        let mutations = (reading + writing + timing).filter { names.contains($0.name) }
        return RunSize.current == .quick ? Array(mutations.suffix(3)) : mutations
    }()
}

extension Mutation: CustomTestStringConvertible {
    var testDescription: String { name }
}
