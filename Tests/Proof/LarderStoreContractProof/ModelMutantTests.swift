import LarderStoreContract
import Testing
@testable import LarderStoreContractTests

struct ModelMutantTests {
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
}

extension Mutation {
    /// The mutations that a single client can detect.
    fileprivate static let seenByTheModel: [Mutation] = {
        let names: Set = [
            "does not raise versions", "finds one fewer", "puts missing values last",
            "counts the page instead of the whole", "gives each link back once, in the order of ids",
            "loses the owned objects of owned objects", "loses acknowledged commits", "creates over an existing root",
            "leaves owned objects where they were", "does not judge uniqueness",
            "takes whatever the commit writes under a holder's id for the holder", "lets references dangle",
            "deletes all roots that refer to a deleted one", "does not look whether it was cancelled",
            "says that it was cancelled after it committed", "updates all entities by query",
            "leaves out one entity of an update by query", "ignores the ranges of updates by query",
            "miscounts updates by query", "raises no versions in updates by query",
        ]
        let mutations = (bulk + reading + writing + timing).filter { names.contains($0.name) }
        return RunSize.current == .quick ? Array(mutations.suffix(3)) : mutations
    }()
}

extension Mutation: CustomTestStringConvertible {
    var testDescription: String { name }
}
